#include "process/allocations.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/cache_line.hpp"
#include "platform/clock.hpp"
#include "platform/linux/available_memory.hpp"

namespace antiphon::process {

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
// Asking the system how much memory it has takes a while, so smaller requests are served without asking.
constexpr std::size_t kWorthAsking = kMiB;
// All processes of the machine together keep at most this part of the available memory, and allocate as much before
// they ask again.
constexpr std::size_t kPartKept = 16;
constexpr std::size_t kMostKept = 128 * kMiB;
constexpr std::uint64_t kWhileNs = 1'000'000'000;

}  // namespace

Allocations::System Allocations::real() {
  return {platform::monotonic_ns, [] { return platform::available_memory(); }};
}

Allocations::Allocations(const platform::FilePart& heap, std::atomic<std::uint64_t>& heap_address,
                         const settings::Values& settings, counters::Counters& counters, int sharers, System system)
    : heap_(heap, heap_address),
      settings_(settings),
      counters_(counters),
      can_share_(heap.bytes != 0),
      sharers_(sharers),
      system_(std::move(system)) {}

Allocations::~Allocations() {
  for (const auto* pieces : {&pieces_, &late_})
    for (const auto& [start, piece] : *pieces)
      if (!piece.in_heap) std::free(start);
}

void* Allocations::allocate(std::size_t bytes, std::size_t alignment) {
  return take(bytes, alignment, From::heap_if_long, Owner::user);
}

void* Allocations::allocate_for_window(std::size_t bytes, std::size_t alignment, Visible visible) {
  return take(bytes, alignment, visible == Visible::always ? From::heap_only : From::heap_first, Owner::window);
}

void* Allocations::take(std::size_t bytes, std::size_t alignment, From from, Owner owner) {
  alignment = std::max(alignment, base::kCacheLine);
  bytes = std::max<std::size_t>(bytes, 1);
  if (bytes > PTRDIFF_MAX - alignment) return nullptr;
  const auto given = [&](void* start, bool in_heap) {
    if (start) pieces_[start] = {bytes, owner, in_heap};
    if (start && in_heap) counters_.heap_bytes.add(bytes);
    return start;
  };
  const bool may_be_in_heap = bytes >= settings_.heap_from || from != From::heap_if_long;
  if (may_be_in_heap) {
    void* const kept = heap_.allocate_kept(bytes, alignment);
    always_kept_ = std::min(always_kept_, heap_.kept());
    if (kept) return given(kept, true);
  }
  if (!there_is_room_for(bytes)) return nullptr;
  if (may_be_in_heap) {
    const auto [outcome, start] = take_from_heap(bytes, alignment);
    if (outcome != platform::FileHeap::Outcome::no_room || from == From::heap_only) return given(start, true);
  }
  return given(std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment), false);
}

// Kept pieces may separate free ranges that are long enough only together, so the second attempt gives all of them
// back first.
platform::FileHeap::Allocation Allocations::take_from_heap(std::size_t bytes, std::size_t alignment) {
  const auto first = heap_.allocate(bytes, alignment);
  if (first.outcome == platform::FileHeap::Outcome::given || heap_.kept() == 0) return first;
  heap_.give_back(heap_.kept());
  always_kept_ = 0;
  return heap_.allocate(bytes, alignment);
}

bool Allocations::there_is_room_for(std::size_t bytes) {
  if (bytes < kWorthAsking) return true;
  if (bytes <= granted_ && system_.now_ns() - asked_ns_ < kWhileNs) {
    granted_ -= bytes;
    return true;
  }
  if (ask_for(bytes)) return true;
  if (heap_.kept() == 0) return false;
  heap_.give_back(heap_.kept());
  always_kept_ = 0;
  return ask_for(bytes);
}

bool Allocations::ask_for(std::size_t bytes) {
  const std::size_t left = system_.available();
  asked_ns_ = system_.now_ns();
  granted_ = bytes <= left ? (left - bytes) / kPartKept / static_cast<std::size_t>(sharers_) : 0;
  return bytes <= left;
}

const Allocations::Piece* Allocations::find(void* start) const {
  const auto piece = pieces_.find(start);
  return piece == pieces_.end() ? nullptr : &piece->second;
}

void Allocations::free(void* start) {
  const auto piece = pieces_.find(start);
  const bool in_heap = piece->second.in_heap;
  pieces_.erase(piece);
  give_back(start, in_heap);
}

void Allocations::free_late(const std::function<bool(const void* start, std::size_t bytes)>& in_use) {
  std::erase_if(late_, [&](const auto& entry) {
    const auto& [start, piece] = entry;
    if (in_use(start, piece.bytes)) return false;
    give_back(start, piece.in_heap);
    return true;
  });
}

void Allocations::give_back(void* start, bool in_heap) {
  if (!in_heap) return std::free(start);
  (void)heap_.free(start);
  keep_less();
}

// Limits the freed memory that is kept. About once a second, gives back what no allocation has needed since the last
// time; at every call, gives back what exceeds the limit.
void Allocations::keep_less() {
  const std::uint64_t now = system_.now_ns();
  if (looked_ns_ == 0 || now - looked_ns_ >= kWhileNs) {
    const std::size_t left = system_.available();
    most_kept_ = std::min(kMostKept, left / kPartKept / static_cast<std::size_t>(sharers_));
    if (looked_ns_ != 0) heap_.give_back(always_kept_);
    always_kept_ = heap_.kept();
    looked_ns_ = now;
  }
  if (heap_.kept() > most_kept_) heap_.give_back(heap_.kept() - most_kept_);
  always_kept_ = std::min(always_kept_, heap_.kept());
}

}  // namespace antiphon::process
