#include "objects/allocations.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace antiphon::objects {

namespace {
constexpr std::size_t kCacheLine = 64;
}

Allocations::~Allocations() {
  for (void* start : starts_) std::free(start);
}

void* Allocations::allocate(std::size_t bytes, std::size_t alignment) {
  alignment = std::max(alignment, kCacheLine);
  bytes = std::max<std::size_t>(bytes, 1);
  if (bytes > PTRDIFF_MAX - alignment) return nullptr;
  void* start = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (start) starts_.insert(start);
  return start;
}

bool Allocations::free(void* start) {
  if (starts_.erase(start) == 0) return false;
  std::free(start);
  return true;
}

}  // namespace antiphon::objects
