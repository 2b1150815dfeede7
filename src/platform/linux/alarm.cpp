#include "platform/linux/alarm.hpp"

#include <sys/timerfd.h>

namespace antiphon::platform {

bool Alarm::set(std::uint64_t after_ns) noexcept {
  if (timer_.get() < 0) timer_ = OwnedDescriptor(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  constexpr std::uint64_t kSecond = 1'000'000'000;
  itimerspec when{};
  when.it_value = {static_cast<time_t>(after_ns / kSecond), static_cast<long>(after_ns % kSecond)};
  return timer_.get() >= 0 && timerfd_settime(timer_.get(), 0, &when, nullptr) == 0;
}

}  // namespace antiphon::platform
