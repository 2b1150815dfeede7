#include "process/allocations.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "platform/linux/available_memory.hpp"

namespace antiphon::process {

namespace {
constexpr std::size_t kCacheLine = 64;
// To ask the system what it has takes a while; smaller amounts than this are just taken from it.
constexpr std::size_t kWorthAsking = std::size_t{1} << 20;
constexpr std::size_t kLong = std::size_t{64} << 10;
}  // namespace

Allocations::~Allocations() {
  for (void* start : private_) std::free(start);
}

void* Allocations::allocate(std::size_t bytes, std::size_t alignment, From from) {
  alignment = std::max(alignment, kCacheLine);
  bytes = std::max<std::size_t>(bytes, 1);
  if (bytes > PTRDIFF_MAX - alignment) return nullptr;
  if (bytes >= kWorthAsking && bytes > platform::available_memory()) return nullptr;
  if (bytes >= kLong || from != From::heap_if_long) {
    const auto [outcome, start] = shared_.allocate(bytes, alignment);
    if (outcome != platform::FileHeap::Outcome::no_room || from == From::heap_only) return start;
  }
  void* start = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (start) private_.insert(start);
  return start;
}

bool Allocations::free(void* start) {
  if (private_.erase(start) == 0) return shared_.free(start);
  std::free(start);
  return true;
}

}  // namespace antiphon::process
