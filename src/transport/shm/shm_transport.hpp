// Packets between processes of one node through shared memory. All processes send to a process through its queue;
// frequent senders have a ring each, so a poll costs the same however many processes have sent. Callers hold the
// lane, except in try_poll(); what it shares with other processes is atomic.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "transport/channel.hpp"
#include "transport/shm/inbound_rings.hpp"
#include "transport/shm/neighbour_memory.hpp"
#include "transport/shm/neighbourhood.hpp"
#include "transport/shm/talk.hpp"

namespace antiphon::transport::shm {

class ShmChannel;

class ShmTransport final : public Transport {
 public:
  ShmTransport(Neighbourhood node, Watches& watches);
  ~ShmTransport() override;
  [[nodiscard]] std::unique_ptr<Channel> connect(int process) override;
  [[nodiscard]] PeerMemory* memory_of(int process) override;
  bool poll(const Dispatcher&) override;
  bool try_poll(const Dispatcher&, bool* refused) override;

 private:
  [[gnu::noinline]] bool poll_by_turns(const Dispatcher& dispatch);
  bool look(const Dispatcher& dispatch, bool* refused = nullptr);
  [[gnu::noinline]] bool read_queue(const Dispatcher& dispatch, bool* refused);
  [[gnu::noinline]] bool read_ring(InboundRing& from, const Dispatcher& dispatch, bool* refused);
  [[gnu::noinline]] bool finish_ring(int sender, const Dispatcher& dispatch, bool* refused);
  void take_receipt(int sender, const Receipt& receipt);
  void wake_waiting();
  NeighbourMemory& memory_of_rank(int rank);

  const Neighbourhood node_;
  const Inbox mine_;
  const std::uint64_t secret_;                              // never 0
  std::vector<std::unique_ptr<NeighbourMemory>> memories_;  // by rank; null: not used so far
  std::unique_ptr<std::atomic<ShmChannel*>[]> channels_;    // by rank; null: not connected
  Watches& watches_;
  const std::size_t queue_watch_;
  RingReader queue_;
  Talk talk_;
  InboundRings rings_;
  std::mutex reading_;  // held by the thread that reads, if there are several threads
};

}  // namespace antiphon::transport::shm
