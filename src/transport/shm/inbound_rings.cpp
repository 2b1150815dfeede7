#include "transport/shm/inbound_rings.hpp"

#include <algorithm>

namespace antiphon::transport::shm {

namespace {
// A ring is idle if nothing arrives in it while this many packets arrive in the queue.
constexpr std::uint64_t kWhile = 32;
}  // namespace

void InboundRings::wish(int sender, std::uint64_t now) {
  std::uint8_t& number = ring_of_[static_cast<std::size_t>(sender)];
  if (number != 0) return;
  look_who_is_idle(now);
  InboundRing* const ring = find_free();
  if (!ring) return ask_back_an_idle_one();
  ring->state = State::offered;
  ring->idle = false;
  ring->sender = sender;
  ring->process = node_.process_of(sender);
  number = static_cast<std::uint8_t>(number_of(*ring) + 1);
  node_.inbox(node_.self).offer(sender).make(number_of(*ring));
}

InboundRing* InboundRings::find_free() {
  for (InboundRing& ring : rings_)
    if (ring.state == State::free) return &ring;
  if (rings_.size() < static_cast<std::size_t>(node_.rings_each)) {
    InboundRing& ring = rings_.emplace_back();
    ring.watch = watches_.size();
    watches_.push_back({&never_, 0});
    return &ring;
  }
  for (InboundRing& ring : rings_)
    if (ring.state == State::offered && ring.idle &&
        node_.inbox(node_.self).offer(ring.sender).take_back(number_of(ring))) {
      release(ring);
      return &ring;
    }
  return nullptr;
}

void InboundRings::look_who_is_idle(std::uint64_t now) {
  if (now - looked_ < kWhile) return;
  looked_ = now;
  for (InboundRing& ring : rings_) {
    const std::uint64_t quarters = ring.is_read() ? ring.reader.quarters() : ring.quarters_before;
    ring.idle = quarters == ring.quarters_before;
    ring.quarters_before = quarters;
    // Its sender has not seen the request yet, or the ring was too full for the mark; it still uses the ring.
    if (ring.state == State::asked_back && !ring.idle) ring.state = State::in_use;
  }
}

// Asks the sender of an idle ring to give it back. That sender may not call MPI for a long time, so the next time
// another is asked.
void InboundRings::ask_back_an_idle_one() {
  const auto idle =
      std::ranges::find_if(rings_, [](const InboundRing& ring) { return ring.state == State::in_use && ring.idle; });
  if (idle == rings_.end()) return;
  if (!QueueWriter(node_.inbox(idle->sender), node_.self).try_mark()) return;
  idle->state = State::asked_back;
  idle->bell.ring_if_asleep();
}

void InboundRings::begin_reading(int sender) {
  InboundRing& ring = rings_[ring_of_[static_cast<std::size_t>(sender)] - 1u];
  ring.state = State::in_use;
  ring.idle = false;
  ring.reader = RingReader(node_.ring(node_.self, number_of(ring)), node_.ring_bytes);
  ring.quarters_before = ring.reader.quarters();
  ring.bell = node_.bell(sender);
  watches_[ring.watch] = ring.reader.watch();
}

void InboundRings::end_reading(InboundRing& ring) {
  ring.reader.tell();
  watches_[ring.watch] = {&never_, 0};
  node_.inbox(node_.self).offer(ring.sender).end();
  release(ring);
}

void InboundRings::release(InboundRing& ring) {
  ring_of_[static_cast<std::size_t>(ring.sender)] = 0;
  ring.state = State::free;
}

}  // namespace antiphon::transport::shm
