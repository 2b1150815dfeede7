// operator new and delete for all code in the library, including the C++ runtime that is linked into it. Memory comes
// from the system or, when that has none, from the reserve. Programs keep their own operators. All other forms of new
// and delete call the ones defined here.
#include <cstdlib>
#include <new>

#include "base/memory_reserve.hpp"

using antiphon::base::memory_reserve;

void* operator new(std::size_t bytes) { return memory_reserve.allocate(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return memory_reserve.allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* start) noexcept { std::free(start); }
void operator delete(void* start, std::size_t) noexcept { std::free(start); }
void operator delete(void* start, std::align_val_t) noexcept { std::free(start); }
void operator delete(void* start, std::size_t, std::align_val_t) noexcept { std::free(start); }
