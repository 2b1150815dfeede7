// Processes of one node: a ring of packets for each ordered pair that talks, in the job segment. A pair's ring costs
// nothing before its first packet; the receiver learns of it from a bit in its own area. Used by its process's one
// lane only; what it shares with others is atomic.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "platform/linux/asymmetric_fence.hpp"
#include "transport/channel.hpp"
#include "transport/shm/neighbour_memory.hpp"
#include "transport/shm/ring.hpp"

namespace antiphon::transport::shm {

// What a process reads of every peer it may have to wake.
struct Bell {
  std::atomic<std::uint32_t>* sleeping;
  std::atomic<std::uint32_t>* doorbell;
  bool full_fence;  // sleepers rely on the publisher's fence instead of making one for it (platform/AsymmetricFence)
  // To be asked after whatever it may wait for has been published.
  [[nodiscard]] bool is_wanted() const noexcept {
    if (full_fence) [[unlikely]]
      std::atomic_thread_fence(std::memory_order_seq_cst);
    else
      platform::AsymmetricFence::light_fence();
    return sleeping->load(std::memory_order_relaxed) != 0;
  }
  void ring() const noexcept;
  void ring_if_asleep() const noexcept {
    if (is_wanted()) [[unlikely]]
      ring();
  }
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
  // They stay where they are, however many there will be.
  [[nodiscard]] const std::vector<Watch>& watches() const { return watches_; }

 private:
  class Sender;
  struct Inbound {
    int source;
    RingReader reader;
    Bell bell;
  };
  [[nodiscard]] Arrivals& arrivals(int rank) const;
  void accept_new_senders();
  [[gnu::noinline]] static void read(Inbound& from, const Dispatcher& dispatch);

  Layout layout_;
  Arrivals* mine_;
  const std::uint64_t secret_;  // never 0
  std::vector<std::uint64_t> known_;
  std::vector<Inbound> inbound_;
  std::vector<Watch> watches_;  // first the count of arrivals, then of each inbound the cell that it fills next
};

}  // namespace antiphon::transport::shm
