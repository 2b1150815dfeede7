// The sending end towards one process of the node. It writes into that process's queue, which all others share, until
// it is offered a ring of its own; then into the ring, until it is asked to give that back. Packets stay in order:
// the last packet in the queue says that it is the last, and a mark ends the ring. Belongs to whoever connected it.
// It exists in two versions: for one sending thread at a time, and for several.
#pragma once

#include <memory>

#include "transport/shm/inbound_rings.hpp"
#include "transport/shm/neighbour_memory.hpp"
#include "transport/shm/neighbourhood.hpp"
#include "transport/shm/queue_writer.hpp"

namespace antiphon::transport::shm {

class ShmChannel : public Channel {
 public:
  // `known` is where the transport finds the channel while it exists; there is one channel for each peer.
  explicit ShmChannel(std::atomic<ShmChannel*>& known) : known_(known) { known_.store(this); }
  ~ShmChannel() override { known_.store(nullptr); }
  ShmChannel(const ShmChannel&) = delete;
  ShmChannel& operator=(const ShmChannel&) = delete;

  // The peer needs the ring for another sender.
  virtual void give_ring_back() noexcept = 0;
  // The peer has read this much.
  virtual void take(const Receipt& receipt) noexcept = 0;

 private:
  std::atomic<ShmChannel*>& known_;
};

// `peer` and `rings` must outlive it.
[[nodiscard]] std::unique_ptr<ShmChannel> make_channel(NeighbourMemory& peer, const InboundRings& rings,
                                                       std::atomic<ShmChannel*>& known);

}  // namespace antiphon::transport::shm
