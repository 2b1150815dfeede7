// Processes of one node: a ring of packets for each ordered pair that talks, in the job segment. A pair's ring costs
// nothing before its first packet; the receiver learns of it from a bit in its own area. Used by its process's one
// lane only; what it shares with others is atomic.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "transport/channel.hpp"
#include "transport/shm/neighbour_memory.hpp"
#include "transport/shm/ring.hpp"

namespace antiphon::transport::shm {

// What a process reads of every peer it may have to wake.
struct Bell {
  std::atomic<std::uint32_t>* sleeping;
  std::atomic<std::uint32_t>* doorbell;
  bool full_fence;  // sleepers rely on the publisher's fence instead of making one for it (platform/AsymmetricFence)
  void ring_if_asleep() const noexcept;
};

// In each process's own area: who it is, and who has opened a ring to it.
struct Arrivals {
  Identity identity;
  std::atomic<std::uint32_t> count;
  std::atomic<std::uint64_t> senders[1];  // one bit a rank, as many words as it takes
};

struct Layout {
  int self = 0;
  int size = 1;
  std::size_t pair_bytes = 0;                             // of each pair's area
  std::function<std::byte*(int from, int to)> pair_area;  // zero-filled
  std::function<Bell(int rank)> bell;
  std::function<const std::atomic<std::int32_t>*(int rank)> process;  // its process id, known once it has sent
  std::function<PeerHeap(int rank)> heap = [](int) { return PeerHeap(); };
};

class ShmTransport final : public Transport {
 public:
  explicit ShmTransport(Layout layout);
  [[nodiscard]] std::unique_ptr<Channel> connect(int peer) override;
  bool poll(const Dispatcher&) override;

 private:
  class Sender;
  struct Inbound {
    int source;
    RingReader reader;
    Bell bell;
  };
  [[nodiscard]] Arrivals& arrivals(int rank) const;
  void accept_new_senders();

  Layout layout_;
  Arrivals* mine_;
  const std::uint64_t secret_;  // never 0
  std::uint32_t accepted_ = 0;
  std::vector<std::uint64_t> known_;
  std::vector<Inbound> inbound_;
};

}  // namespace antiphon::transport::shm
