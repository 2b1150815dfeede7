// A descriptor that becomes readable after a time (timerfd_create(2)), and stays so until it is set again or
// silenced.
#pragma once

#include <cstdint>

#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::platform {

class Alarm {
 public:
  [[nodiscard]] int descriptor() const noexcept { return timer_.get(); }
  // False if the system refuses.
  [[nodiscard]] bool set(std::uint64_t after_ns) noexcept;
  void silence() noexcept { (void)set(0); }

 private:
  OwnedDescriptor timer_;  // none before it is first set
};

}  // namespace antiphon::platform
