// The user's code runs with no lock held, so that it may call MPI itself, from this thread and others. That is true
// of reductions, attribute functions, the functions of generalized requests and error handlers alike.
#pragma once

#include <exception>

#include "base/intrusive_list.hpp"
#include "progress/lane.hpp"

namespace antiphon::progress {

// While it lives, this thread is outside the lane, although in the middle of a call. Nothing that was found in a
// handle table before is still certain afterwards, unless a reference is kept.
class UserCode {
 public:
  explicit UserCode(Lane& lane) : lane_(lane), call_(lane.call()) { lane_.unlock(); }
  ~UserCode() {
    lane_.lock();
    lane_.call() = call_;
  }
  UserCode(const UserCode&) = delete;
  UserCode& operator=(const UserCode&) = delete;

 private:
  Lane& lane_;
  CallContext call_;
};

// User's code that an operation under way needs before it can go on. Progress keeps it until a thread is between two
// looks, where it holds nothing but the lane. Owned by the operation, which outlives it.
class UserStep : public base::ListHook {
 public:
  // Runs the code, outside of the lane.
  virtual void run() = 0;
  // Back in the lane: what it threw, or null. Progress has forgotten the step by now, so this must not fail.
  virtual void ran(std::exception_ptr thrown) noexcept = 0;

 protected:
  ~UserStep() = default;
};

}  // namespace antiphon::progress
