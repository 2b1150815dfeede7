#include "programs/failing_memory.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <cstdlib>
#include <new>

namespace antiphon::sim {

FailingMemory* failing_memory = nullptr;
bool memory_may_fail = false;

bool FailingMemory::fails_next() {
  const std::uint64_t number = ++seen->asked;
  const bool fails = number == nth || (and_later && nth != 0 && number > nth) ||
                     static_cast<unsigned>(draws.below(1000)) < per_mille;
  if (!fails) return false;
  ++seen->failed;
  if (shows) {
    void* callers[32];
    backtrace_symbols_fd(callers, backtrace(callers, 32), STDERR_FILENO);
  }
  return true;
}

namespace {

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (memory_may_fail && failing_memory && failing_memory->fails_next()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes == 0 ? 1 : bytes);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* need(std::size_t bytes, std::size_t alignment) {
  if (void* const start = allocate(bytes, alignment)) return start;
  throw std::bad_alloc();
}

}  // namespace
}  // namespace antiphon::sim

using antiphon::sim::allocate;
using antiphon::sim::need;

// All other forms of new and delete call these.
void* operator new(std::size_t bytes) { return need(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return need(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 1); }
void operator delete(void* start) noexcept { std::free(start); }
void operator delete(void* start, std::size_t) noexcept { std::free(start); }
void operator delete(void* start, std::align_val_t) noexcept { std::free(start); }
void operator delete(void* start, std::size_t, std::align_val_t) noexcept { std::free(start); }
