// How a rank sleeps when spinning has found nothing. The order is: announce (from then on, a process that publishes
// something for this rank wakes it), poll once more, park, retract. A wake-up between announce and park makes park
// return at once, so none is lost. Real processes sleep on the doorbell of their slot; simulated ranks yield their
// fiber. The caller holds the lane for every function but park and is_waking; several threads may be parked at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/wait_reason.hpp"

namespace antiphon::progress {

using base::WaitReason;

// Identifies a collective: its communicator's name and, if it blocks, its number on that communicator. kLater stands
// for all nonblocking and persistent ones; 0 means that the call is no collective.
struct NthCollective {
  static constexpr std::uint32_t kLater = UINT32_MAX;

  std::string_view communicator;
  std::uint32_t nth;
};

class Parking {
 public:
  using Ticket = std::uint32_t;
  enum class Patience { brief, endless };
  enum class Others { content, waiting };

  virtual ~Parking() = default;
  // spin_looks: how many polls in a row a rank makes in vain before it parks. breathe: what it does between two of
  // them; `others` says whether other threads of the program may need its core. breathe returns false if it took so
  // long that the rank should park now.
  [[nodiscard]] virtual int spin_looks() const noexcept = 0;
  virtual bool breathe(int look, Others others) noexcept = 0;
  // Whether there are more ranks than cores. Then a rank that polls may occupy the core that the awaited rank needs.
  [[nodiscard]] virtual bool crowded() const noexcept = 0;
  [[nodiscard]] virtual Ticket announce(const WaitReason&) noexcept = 0;
  // Returns false if a brief park timed out: the caller must then poll once more, because the publisher may have
  // missed the announcement.
  virtual bool park(Ticket, Patience) noexcept = 0;
  virtual void retract() noexcept = 0;
  // Whether the doorbell has rung since a thread last announced its sleep, so a parked thread may need a core to wake
  // up. May be called without the lane.
  [[nodiscard]] virtual bool is_waking() const noexcept { return false; }
  // Wakes all parked threads of this process: what they wait for may have happened in this process.
  virtual void wake_own_threads() noexcept = 0;

  // tell_failure publishes why this process's part in a collective failed, for processes that wait for that part and
  // for mpiexec's hang report. failure_of returns what `process` has published about that collective; empty if
  // nothing.
  virtual void tell_failure(const NthCollective&, std::string_view) noexcept {}
  [[nodiscard]] virtual std::string failure_of(int /*process*/, const NthCollective&) const { return {}; }
};

}  // namespace antiphon::progress
