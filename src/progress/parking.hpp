// How a rank sleeps when spinning has found nothing. The order is: announce (from here on whoever publishes something
// for this rank wakes it), look once more, then park, then retract. A wake between announce and park makes park
// return at once, so none is lost. Real processes sleep on the doorbell of their slot; simulated ranks yield their
// fiber. All but park are called with the lane locked; several threads may be parked at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/wait_reason.hpp"

namespace antiphon::progress {

using base::WaitReason;

// A collective, by the name of its communicator and its number there, if it blocks; 0: one that has none.
struct NthCollective {
  static constexpr std::uint32_t kLater = UINT32_MAX;  // one that does not block

  std::string_view communicator;
  std::uint32_t nth;
};

class Parking {
 public:
  using Ticket = std::uint32_t;
  enum class Patience { a_moment, brief, endless };
  enum class Others { content, waiting };

  virtual ~Parking() = default;
  // How many fruitless looks a rank takes before it parks, and what it does between them, while other threads of the
  // program may wait for its core: false if that took so long that it had better park.
  [[nodiscard]] virtual int spin_looks() const noexcept = 0;
  virtual bool breathe(int look, Others others) noexcept = 0;
  // Whether ranks outnumber cores: one that looks in vain may keep from its core the rank that it looks for.
  [[nodiscard]] virtual bool crowded() const noexcept = 0;
  [[nodiscard]] virtual Ticket announce(const WaitReason&) noexcept = 0;
  // False if patience has run out: look once more, for whoever published may have overlooked the sleeper. `a_moment`
  // is about a millisecond, for a thread that nobody will wake.
  virtual bool park(Ticket, Patience) noexcept = 0;
  virtual void retract() noexcept = 0;
  // Whether a thread that is parked has been rung for, and may need a core to come back. Without the lane, too.
  [[nodiscard]] virtual bool is_waking() const noexcept { return false; }
  // Wakes the other threads of this process that are parked: what they wait for may have happened in this one.
  virtual void wake_own_threads() noexcept = 0;

  // Why this process's part in a collective failed, for those who wait for it and whoever explains that they do; and
  // what another process has said so; empty: nothing.
  virtual void tell_failure(const NthCollective&, std::string_view) noexcept {}
  [[nodiscard]] virtual std::string failure_of(int /*process*/, const NthCollective&) const { return {}; }
};

}  // namespace antiphon::progress
