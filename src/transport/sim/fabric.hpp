// A simulated network for ranks that live in one thread. Time is virtual and moves only when somebody advances it.
// Packets of one ordered pair stay in order and arrive after a delay drawn from the seed, so packets of different
// pairs overtake each other; a pair holds only a few packets, and a packet may be refused for no reason at all. The
// same seed and the same calls give the same arrivals. Belongs to the test or tool that simulates; one thread only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "base/rng.hpp"
#include "transport/channel.hpp"

namespace antiphon::transport::sim {

struct Conditions {
  Capabilities capabilities{.max_payload = 64, .eager_limit = 256};
  std::size_t packets_per_pair = 4;  // in flight; the next is refused
  std::uint64_t max_delay = 100;     // ticks from sending to arrival; the least is 1
  unsigned refuse_percent = 0;       // percent of the packets for which there is room that are refused
  bool peer_memory = true;           // channels have a peer_memory()
  unsigned refuse_copy_percent = 0;  // percent of writes to a peer's memory that are refused
  bool system_copies = true;         // peers' memory can be read and written by system calls
  bool mapped = false;            // processes have mapped others' memory; the other side knows of it half of the time
  unsigned mapped_percent = 100;  // percent of the ordered pairs for which that is so
  unsigned pipes = 0;             // number of pipes of each process
  std::size_t pipe_bytes = 64;    // average memory of a pipe: a power of two
};

// The node of each rank; empty: there is one node. `between` holds for packets from one node to another.
struct Nodes {
  std::vector<int> of_rank;
  Conditions between;
};

// Allocates the network's own memory, also while a test lets the simulated processes run out of memory.
template <class T>
struct WireMemory {
  using value_type = T;

  WireMemory() = default;
  template <class Other>
  explicit(false) WireMemory(const WireMemory<Other>&) noexcept {}
  [[nodiscard]] T* allocate(std::size_t count) {
    constexpr std::size_t kAlignment = std::max(alignof(T), alignof(std::max_align_t));
    void* const start =
        std::aligned_alloc(kAlignment, (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment);
    if (!start) std::abort();
    return static_cast<T*>(start);
  }
  void deallocate(T* start, std::size_t) noexcept { std::free(start); }
  bool operator==(const WireMemory&) const = default;
};

class Fabric {
 public:
  using Wake = std::function<void(int rank)>;

  Fabric(int size, const Conditions& conditions, std::uint64_t seed, Nodes nodes = {});

  [[nodiscard]] int node_of(int rank) const {
    return nodes_.of_rank.empty() ? 0 : nodes_.of_rank[static_cast<std::size_t>(rank)];
  }

  // Whether bytes at this address are in memory that `rank` has allocated for all processes of its node. These find
  // it whatever the conditions are. By default there is no such memory.
  using Shared = std::function<bool(int rank, std::uint64_t address, std::size_t bytes)>;
  void share(Shared shared) { shared_ = std::move(shared); }

  // `wake` is called, from advance_to(), for a rank that has a packet to poll or that may send again.
  void on_wake(Wake wake) { wake_ = std::move(wake); }
  [[nodiscard]] std::uint64_t now() const { return now_; }
  void advance_to(std::uint64_t time);
  // Wakes a rank at this time, whatever happens before.
  void wake_at(std::uint64_t time, int rank) { schedule(time, rank); }
  // When the next rank is woken; empty if no packet is in flight, no sender was refused, and nobody has called
  // wake_at().
  [[nodiscard]] std::optional<std::uint64_t> next_event() const;

 private:
  friend class SimTransport;
  struct Packet {
    std::uint64_t due;
    PacketHeader header;
    std::vector<std::byte, WireMemory<std::byte>> payload;
  };
  struct Pair {
    std::deque<Packet, WireMemory<Packet>> in_flight;
    std::uint64_t last_due = 0;
    bool refused = false;  // its sender must be woken when there is room
    bool mapped = false;   // `from` has mapped the memory of `to`
  };
  struct Event {
    std::uint64_t time;
    std::uint64_t sequence;  // events of one tick occur in the order in which they were scheduled
    int rank;
    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : sequence > other.sequence;
    }
  };

  Pair& pair(int from, int to) {
    return pairs_[static_cast<std::size_t>(from) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(to)];
  }
  [[nodiscard]] bool admits(int from, int to);  // asked before each packet
  void send(int from, int to, const PacketHeader& header, Payload payload);
  bool deliver(int to, const Dispatcher& dispatch);
  bool deliver_from(int from, int to, const Dispatcher& dispatch);
  [[nodiscard]] const Conditions& conditions(int from, int to) const {
    return node_of(from) == node_of(to) ? conditions_ : nodes_.between;
  }
  [[nodiscard]] std::size_t pipe_memory() const {
    return std::bit_ceil(std::size_t{conditions_.pipes}) * conditions_.pipe_bytes;
  }
  [[nodiscard]] Pipe pipe(int rank, unsigned number, const PipeBlock& block);
  std::uint64_t delay(int from, int to) { return 1 + rng_.below(conditions(from, to).max_delay); }
  void schedule(std::uint64_t time, int rank) { events_.push({time, ++scheduled_, rank}); }

  int size_;
  Conditions conditions_;
  Nodes nodes_;
  base::Rng rng_;
  Wake wake_ = [](int) {};
  Shared shared_ = [](int, std::uint64_t, std::size_t) { return false; };
  std::uint64_t now_ = 0;
  std::uint64_t scheduled_ = 0;
  std::vector<Pair> pairs_;
  std::vector<std::array<SharedWork, PeerMemory::kSharedWorks>> works_;  // of each rank
  struct alignas(base::kCacheLine) Line {
    std::byte bytes[base::kCacheLine];
  };
  struct Pipes {
    std::vector<Pipe::Positions> positions;
    std::vector<Line, WireMemory<Line>> memory;
  };
  std::vector<Pipes> pipes_;  // of each rank
  std::priority_queue<Event, std::vector<Event, WireMemory<Event>>, std::greater<>> events_;
};

// One rank's end of the fabric.
class SimTransport final : public Transport {
 public:
  SimTransport(Fabric& fabric, int self);
  ~SimTransport() override;
  [[nodiscard]] std::unique_ptr<Channel> connect(int peer) override;
  [[nodiscard]] PeerMemory* memory_of(int peer) override;
  bool poll(const Dispatcher& dispatch) override { return fabric_.deliver(self_, dispatch); }

 private:
  class Memory;
  class Sender;
  Fabric& fabric_;
  int self_;
  std::vector<std::unique_ptr<Memory>> memories_;  // by rank; null: not used so far
};

}  // namespace antiphon::transport::sim
