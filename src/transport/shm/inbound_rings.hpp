// The rings that a process can give to senders, as the receiver sees them: which sender has which ring, and how
// far each has been read. A sender that is offered a ring takes it with the last packet that it puts into the
// queue; only then is there something to read. If all rings are in use, one that has been idle for a while is
// withdrawn or asked back; it is free when its sender has written the mark that ends it. Belongs to the transport;
// used by the thread that reads.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "transport/shm/neighbourhood.hpp"
#include "transport/shm/queue_writer.hpp"

namespace antiphon::transport::shm {

struct InboundRing {
  enum class State : std::uint8_t { free, offered, in_use, asked_back };

  [[nodiscard]] bool is_read() const noexcept { return state == State::in_use || state == State::asked_back; }

  State state = State::free;
  bool idle = false;  // nothing has arrived for a while
  int sender = 0;     // rank on the node
  int process = 0;    // the sender, as a process of the job
  RingReader reader = {};
  Bell bell = {};
  std::size_t watch = 0;  // index of the word that changes when the next packet arrives
  std::uint64_t quarters_before = 0;
};

class InboundRings {
 public:
  InboundRings(const Neighbourhood& node, Watches& watches) : node_(node), watches_(watches) {
    rings_.reserve(static_cast<std::size_t>(node.rings_each));
    ring_of_.resize(static_cast<std::size_t>(node.size));
  }
  InboundRings(const InboundRings&) = delete;
  InboundRings& operator=(const InboundRings&) = delete;

  [[nodiscard]] auto begin() noexcept { return rings_.begin(); }
  [[nodiscard]] auto end() noexcept { return rings_.end(); }
  // Null unless this process reads a ring of that sender.
  [[nodiscard]] const InboundRing* read_of(int sender) const noexcept {
    const std::uint8_t number = ring_of_[static_cast<std::size_t>(sender)];
    if (number == 0) [[likely]]
      return nullptr;
    const InboundRing& ring = rings_[number - 1u];
    return ring.is_read() ? &ring : nullptr;
  }
  [[nodiscard]] InboundRing* read_of(int sender) noexcept {
    return const_cast<InboundRing*>(std::as_const(*this).read_of(sender));
  }
  [[nodiscard]] Receipt receipt_for(int sender) const noexcept {
    const InboundRing* const ring = read_of(sender);
    if (!ring) return {};
    return {.payload_bytes = ring->reader.payload_bytes(), .ring = static_cast<std::uint32_t>(number_of(*ring)) + 1};
  }

  // Offers a ring to a sender that has none. If none is free, tries to get one back. `now` is how many packets have
  // come in the queue.
  void wish(int sender, std::uint64_t now);
  // The sender has taken the ring that it was offered.
  void begin_reading(int sender);
  // This process has read the mark with which the sender left the ring.
  void end_reading(InboundRing& ring);

 private:
  using State = InboundRing::State;
  [[nodiscard]] int number_of(const InboundRing& ring) const noexcept {
    return static_cast<int>(&ring - rings_.data());
  }
  [[nodiscard]] InboundRing* find_free();
  void look_who_is_idle(std::uint64_t now);
  void ask_back_an_idle_one();
  void release(InboundRing& ring);

  const Neighbourhood& node_;
  Watches& watches_;
  std::vector<InboundRing> rings_;              // its elements never move
  std::vector<std::uint8_t> ring_of_;           // by sender: the ring's number + 1; 0: none
  std::uint64_t looked_ = 0;                    // packets in the queue when idle rings were last looked for
  const std::atomic<std::uint32_t> never_ = 0;  // watched instead of a ring that nobody uses
};

}  // namespace antiphon::transport::shm
