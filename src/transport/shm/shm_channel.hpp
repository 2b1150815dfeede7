// The sending end towards one process of the node. It writes to the queue of that process, which all others share,
// until it is offered a ring of its own, and from then on to the ring, until it is asked to give the ring back.
// Packets stay in order: the last packet in the queue says that it is the last, and a mark ends the ring. Belongs
// to the engine that connected it; `Ring` says whether several threads may send at once.
#pragma once

#include <memory>

#include "transport/shm/inbound_rings.hpp"
#include "transport/shm/neighbour_memory.hpp"
#include "transport/shm/neighbourhood.hpp"
#include "transport/shm/queue_writer.hpp"

namespace antiphon::transport::shm {

class ShmChannel : public Channel {
 public:
  // `known` is where its transport finds it as long as it lives: there is one for each peer.
  explicit ShmChannel(std::atomic<ShmChannel*>& known) : known_(known) { known_.store(this); }
  ~ShmChannel() override { known_.store(nullptr); }
  ShmChannel(const ShmChannel&) = delete;
  ShmChannel& operator=(const ShmChannel&) = delete;

  // The peer wants its ring for somebody else.
  virtual void give_ring_back() noexcept = 0;
  // The peer has read so much.
  virtual void take(const Receipt& receipt) noexcept = 0;

 private:
  std::atomic<ShmChannel*>& known_;
};

// `peer`, and the rings in which it is read, outlive it.
[[nodiscard]] std::unique_ptr<ShmChannel> make_channel(NeighbourMemory& peer, const InboundRings& rings,
                                                       std::atomic<ShmChannel*>& known);

}  // namespace antiphon::transport::shm
