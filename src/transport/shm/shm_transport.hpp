// Processes of one node: a ring of packets for each ordered pair that talks, in the job segment. A pair's ring costs
// nothing before its first packet; the receiver learns of it from a bit in its own area. Used by its process's one
// lane only; what it shares with others is atomic.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
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
  bool threads = false;  // several of this process's send and poll at once
};

class ShmTransport final : public Transport {
 public:
  ShmTransport(Layout layout, Watches& watches);
  [[nodiscard]] std::unique_ptr<Channel> connect(int peer) override;
  bool poll(const Dispatcher&) override;
  bool poll_beside(const Dispatcher&, bool* refused) override;

 private:
  template <class Writer>
  class Sender;
  struct Inbound {
    int source;
    RingReader reader;
    Bell bell;
    std::size_t watch;  // on the cell that is filled next
  };
  [[nodiscard]] Arrivals& arrivals(int rank) const;
  void accept_new_senders();
  [[gnu::noinline]] bool poll_by_turns(const Dispatcher& dispatch);
  bool look(const Dispatcher& dispatch, bool* refused = nullptr);
  [[gnu::noinline]] static bool read(Inbound& from, const Dispatcher& dispatch, bool* refused);

  Layout layout_;
  Arrivals* mine_;
  const std::uint64_t secret_;  // never 0
  std::vector<std::uint64_t> known_;
  std::vector<Inbound> inbound_;
  Watches& watches_;
  const std::size_t arrivals_watch_;
  std::mutex reading_;  // held by the thread that reads the rings, if there are several threads
};

}  // namespace antiphon::transport::shm
