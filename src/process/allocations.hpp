// The memory that MPI_Alloc_mem has given out (MPI 5.0, 9.2), so that a wrong address to free is told from a right
// one. Long pieces lie in the process's heap in the job segment, where others can read and write them without asking
// the system; short ones would not gain by it, as short messages are copied through the ring anyway. Owned by the
// Process; guarded by the lane's lock.
#pragma once

#include <cstddef>
#include <unordered_set>

#include "platform/linux/file_heap.hpp"

namespace antiphon::process {

class Allocations {
 public:
  // `heap` may be of no bytes. `heap_address` is where others look for its beginning.
  Allocations(const platform::FilePart& heap, std::atomic<std::uint64_t>& heap_address)
      : shared_(heap, heap_address) {}
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;
  ~Allocations();

  // Where a piece comes from: long ones from the heap; all of them, as far as there is room; all of them or none.
  enum class From { heap_if_long, heap_first, heap_only };
  // Starts at a multiple of `alignment`, a power of two. Null when there is no memory.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment, From from = From::heap_if_long);
  // False for what is not the start of an allocation.
  bool free(void* start);

 private:
  platform::FileHeap shared_;
  std::unordered_set<void*> private_;
};

}  // namespace antiphon::process
