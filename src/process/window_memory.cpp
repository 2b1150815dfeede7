#include "process/window_memory.hpp"

namespace antiphon::process {

void* WindowMemory::allocate(std::size_t bytes, std::size_t alignment, Visible visible) {
  void* start = allocations_.allocate(
      bytes, alignment, visible == Visible::always ? Allocations::From::heap_only : Allocations::From::heap_first);
  if (start) pieces_.insert(start);
  return start;
}

void WindowMemory::free(void* start) {
  pieces_.erase(start);
  (void)allocations_.free(start);
}

std::byte* WindowMemory::find(int world_rank, std::uint64_t address, std::size_t bytes) {
  if (world_rank == world_rank_) return reinterpret_cast<std::byte*>(address);
  return heap_of_(world_rank).find(address, bytes);
}

}  // namespace antiphon::process
