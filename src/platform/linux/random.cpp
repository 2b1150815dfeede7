#include "platform/linux/random.hpp"

#include <sys/random.h>
#include <unistd.h>

#include "platform/clock.hpp"

namespace antiphon::platform {

std::uint64_t random_number() noexcept {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) == ssize_t{sizeof number}) return number;
  // The kernel has no random numbers yet, or is too old. No two processes have the same number, time and stack.
  return monotonic_ns() * 0x9e3779b97f4a7c15u ^ static_cast<std::uint64_t>(getpid()) << 40 ^
         reinterpret_cast<std::uintptr_t>(&number);
}

}  // namespace antiphon::platform
