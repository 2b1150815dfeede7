#include "platform/linux/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace antiphon::platform {

void populate(std::span<std::byte> memory) noexcept {
  const int error = errno;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::size_t before = reinterpret_cast<std::uintptr_t>(memory.data()) % page;
  (void)madvise(memory.data() - before, memory.size() + before, MADV_POPULATE_WRITE);
  errno = error;
}

void give_back(std::span<std::byte> memory) noexcept {
  const int error = errno;
  (void)madvise(memory.data(), memory.size(), MADV_REMOVE);
  errno = error;
}

}  // namespace antiphon::platform
