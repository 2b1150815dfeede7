// User code runs with no lock held, so that it may call MPI itself, and other threads may, too. That holds for
// reduction functions, attribute callbacks, the callbacks of generalized requests, and error handlers.
#pragma once

#include <exception>

#include "base/intrusive_list.hpp"
#include "progress/lane.hpp"

namespace antiphon::progress {

// Releases the lane while it lives, in the middle of a call. Other threads may free objects meanwhile, so pointers
// from a handle table are valid afterwards only if the caller keeps a reference.
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

// User code that a pending operation needs before it can continue. Progress queues it and runs it between polls, when
// the thread holds nothing but the lane. The operation owns it and keeps it alive until ran() has returned.
class UserStep : public base::ListHook {
 public:
  // Runs the user code; the caller has released the lane.
  virtual void run() = 0;
  // Called with the lane locked after run(); `thrown` is what the user code threw, or null.
  virtual void ran(std::exception_ptr thrown) = 0;

 protected:
  ~UserStep() = default;
};

}  // namespace antiphon::progress
