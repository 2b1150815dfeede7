// Synchronization in which the target takes part: MPI 5.0, 12.5.1 and 12.5.2. Says when a process may reach into the
// memory of others and when others are done with its own. Post, start, complete and wait are empty messages in the
// window's communicator: "posted" to each origin, "completed" to each target. Since they travel behind what was put,
// whoever has "completed" from all origins has all that they put.
#pragma once

#include "engine/coll/collectives.hpp"
#include "engine/rma/one_sided.hpp"

namespace antiphon::rma {

class ActiveTarget {
 public:
  ActiveTarget(OneSided& one_sided, pt2pt::Messages& pt2pt, coll::Collectives& coll, progress::Progress& progress)
      : one_sided_(one_sided), pt2pt_(pt2pt), coll_(coll), progress_(progress) {}

  // `assertion` is the user's, checked. These fail with ERR_RMA_SYNC where the state of the window does not allow
  // them, and the last of an access epoch with ERR_RMA_RANGE if something was done to memory that is not attached.
  void fence(WindowState& state, int assertion);
  void post(WindowState& state, const objects::Group& group, int assertion);
  void start(WindowState& state, const objects::Group& group, int assertion);
  void complete(WindowState& state);
  void wait(WindowState& state);
  [[nodiscard]] bool test(WindowState& state);

 private:
  void tell_all(const WindowState& state, const std::vector<int>& ranks, std::int32_t what);
  void expect_from_all(const WindowState& state, const std::vector<int>& ranks, std::int32_t what,
                       WindowState::Expected* expected);

  OneSided& one_sided_;
  pt2pt::Messages& pt2pt_;
  coll::Collectives& coll_;
  progress::Progress& progress_;
};

}  // namespace antiphon::rma
