#include "programs/failing_memory.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <cstdlib>

#include "base/memory_reserve.hpp"

namespace antiphon::sim {

FailingMemory* failing_memory = nullptr;
bool memory_may_fail = false;

bool FailingMemory::fails_next(std::size_t bytes) {
  const std::uint64_t number = ++seen->asked;
  if (number < nth || (number > nth && seen->calls_again >= calls_to_fail)) return false;
  if (number > nth && used + bytes <= base::memory_reserve.spent_bytes()) {
    used += bytes;
    return false;
  }
  ++seen->failed;
  if (shows) {
    void* callers[32];
    backtrace_symbols_fd(callers, backtrace(callers, 32), STDERR_FILENO);
  }
  return true;
}

void let_memory_fail() {
  base::memory_reserve.take_from([](std::size_t bytes, std::size_t alignment) noexcept -> void* {
    if (memory_may_fail && failing_memory->fails_next(bytes)) return nullptr;
    if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
    return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  });
}

}  // namespace antiphon::sim
