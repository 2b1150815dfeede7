#include "engine/coll/boards/sleepers.hpp"

#include <bit>

#include "engine/coll/boards/title.hpp"

namespace antiphon::coll {

namespace {
using Deed = Awaited::Deed;

// Packs it into a word, which is never 0, because `end` is not.
std::uint64_t packed(const Awaited& awaited) {
  return static_cast<std::uint64_t>(awaited.number) << 17 | static_cast<std::uint64_t>(awaited.deed) << 16 |
         static_cast<std::uint64_t>(awaited.first) << 8 | static_cast<std::uint64_t>(awaited.end);
}
Awaited unpacked(std::uint64_t from) {
  return {static_cast<Deed>(from >> 16 & 1), static_cast<int>(from >> 8 & 0xff), static_cast<int>(from & 0xff),
          static_cast<std::int64_t>(from >> 17)};
}
}  // namespace

void Sleepers::announce(const Awaited& awaited) {
  memory_.seat(rank_).awaited.store(packed(awaited), std::memory_order_relaxed);
  memory_.sleepers().fetch_or(bit_of(rank_), std::memory_order_seq_cst);
}

bool Sleepers::has_done(int rank, const Awaited& awaited) const {
  if (awaited.deed == Deed::finishes)
    return memory_.seat(rank).finished.load(std::memory_order_acquire) >= awaited.number;
  return Title::number(memory_.lines(awaited.number, Lines::In::entries).title(rank)) >= awaited.number;
}

// Without this fence, two ranks that publish at the same time might each find that the other has not yet. A rank that
// has everything it sleeps for is woken once, by the one that clears its word. If the exchange fails, the sleeper has
// been woken, or has woken by itself and now sleeps for something else; then it has seen what this rank published.
void Sleepers::ring() noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::uint64_t others = memory_.sleepers().load(std::memory_order_acquire) & ~bit_of(rank_);
  for (; others != 0; others &= others - 1) {
    const int sleeper = std::countr_zero(others);
    std::atomic<std::uint64_t>& word = memory_.seat(sleeper).awaited;
    std::uint64_t found = word.load(std::memory_order_acquire);
    if (found == 0) continue;
    const Awaited awaited = unpacked(found);
    int next = awaited.first;
    while (next < awaited.end && (next == sleeper || has_done(next, awaited))) ++next;
    if (next == awaited.end && word.compare_exchange_strong(found, 0, std::memory_order_relaxed))
      peers_[static_cast<std::size_t>(sleeper)]->wake();
  }
}

}  // namespace antiphon::coll
