// How a rank sleeps when spinning has found nothing. The order is: announce (from here on whoever publishes something
// for this rank wakes it), look once more, then park, then retract. A wake between announce and park makes park return
// at once, so none is lost. Real processes sleep on the doorbell of their slot; simulated ranks yield their fiber.
#pragma once

#include "progress/wait_reason.hpp"

namespace antiphon::progress {

class Parking {
 public:
  virtual ~Parking() = default;
  // How many fruitless looks a rank takes before it parks.
  [[nodiscard]] virtual int spin_looks() const noexcept = 0;
  virtual void announce(const WaitReason&) noexcept = 0;
  virtual void park() noexcept = 0;
  virtual void retract() noexcept = 0;
};

}  // namespace antiphon::progress
