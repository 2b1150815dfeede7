// A simulated network for ranks that live in one thread. Time is virtual and moves only when somebody advances it.
// Packets of one ordered pair stay in order and arrive after a delay drawn from the seed, so packets of different
// pairs overtake each other; a pair holds only a few packets, and a packet may be refused for no reason at all. The
// same seed and the same calls give the same arrivals. Belongs to the test or tool that simulates; one thread only.
#pragma once

#include <array>
#include <cstdint>
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
  std::uint64_t max_delay = 100;     // ticks from sent to there, at least one
  unsigned refuse_percent = 0;       // of the packets for which there is room
  bool peer_memory = true;           // channels offer it
  unsigned refuse_copy_percent = 0;  // of the copies to a peer's memory
  bool system_copies = true;         // whether peers may be read and written by asking the system
  bool mapped = false;               // each finds all others' memory in its own, and knows so half of the time
};

class Fabric {
 public:
  using Wake = std::function<void(int rank)>;

  Fabric(int size, const Conditions& conditions, std::uint64_t seed);

  // `wake` is called, from advance_to(), for a rank that has a packet to poll or that may send again.
  void on_wake(Wake wake) { wake_ = std::move(wake); }
  [[nodiscard]] std::uint64_t now() const { return now_; }
  void advance_to(std::uint64_t time);
  // When the next wake is due; nothing if no packet is in flight and nobody was refused.
  [[nodiscard]] std::optional<std::uint64_t> next_event() const;

 private:
  friend class SimTransport;
  struct Packet {
    std::uint64_t due;
    PacketHeader header;
    std::vector<std::byte> payload;
  };
  struct Pair {
    std::deque<Packet> in_flight;
    std::uint64_t last_due = 0;
    bool refused = false;  // its sender waits for room
    std::array<SharedWork, PeerMemory::kSharedWorks> works;
  };
  struct Event {
    std::uint64_t time;
    std::uint64_t sequence;  // events of one tick happen in the order in which they were scheduled
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
  std::uint64_t delay() { return 1 + rng_.below(conditions_.max_delay); }
  void schedule(std::uint64_t time, int rank) { events_.push({time, ++scheduled_, rank}); }

  int size_;
  Conditions conditions_;
  base::Rng rng_;
  Wake wake_ = [](int) {};
  std::uint64_t now_ = 0;
  std::uint64_t scheduled_ = 0;
  std::vector<Pair> pairs_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

// One rank's end of the fabric.
class SimTransport final : public Transport {
 public:
  SimTransport(Fabric& fabric, int self) : fabric_(fabric), self_(self) {}
  [[nodiscard]] std::unique_ptr<Channel> connect(int peer) override;
  bool poll(const Dispatcher& dispatch) override { return fabric_.deliver(self_, dispatch); }

 private:
  class Memory;
  class Sender;
  Fabric& fabric_;
  int self_;
};

}  // namespace antiphon::transport::sim
