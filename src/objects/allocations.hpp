// The memory that MPI_Alloc_mem has given out (MPI 5.0, 9.2), so that a wrong address to free is told from a right
// one. Owned by the Process; guarded by the lane's lock.
#pragma once

#include <cstddef>
#include <unordered_set>

namespace antiphon::objects {

class Allocations {
 public:
  Allocations() = default;
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;
  ~Allocations();

  // Starts at a multiple of `alignment`, a power of two. Null when there is no memory.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment);
  // False for what is not the start of an allocation.
  bool free(void* start);

 private:
  std::unordered_set<void*> starts_;
};

}  // namespace antiphon::objects
