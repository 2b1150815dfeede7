// An object that errors can happen on, with an error handler of its own, such as a communicator or a session (MPI
// 5.0, 9.3). The error handler is never null once the object has a handle.
#pragma once

#include <string>

#include "objects/errhandler.hpp"

namespace antiphon::objects {

class ErrorScope : public WithHandle {
 public:
  virtual ~ErrorScope() = default;
  // After the last reference is gone.
  virtual void retire() noexcept { delete this; }
  void retain() noexcept {
    if (shared_among_threads_) [[unlikely]]
      return retain_atomically();
    WithHandle::retain();
  }
  [[nodiscard]] bool release() noexcept {
    return shared_among_threads_ ? release_atomically() : WithHandle::release();
  }
  // Its name in error messages.
  [[nodiscard]] virtual std::string title() const = 0;
  [[nodiscard]] virtual Errhandler::Kind kind() const = 0;

  [[nodiscard]] Errhandler& errhandler() const { return *errhandler_; }
  [[nodiscard]] const Ref<Errhandler>& errhandler_ref() const { return errhandler_; }
  void set_errhandler(Ref<Errhandler> errhandler) { errhandler_ = std::move(errhandler); }

 protected:
  explicit ErrorScope(Ref<Errhandler> errhandler) : errhandler_(std::move(errhandler)) {}
  // From now on, threads without the lane may hold references. Call it while only one thread knows the object.
  void share_among_threads() { shared_among_threads_ = true; }

 private:
  bool shared_among_threads_ = false;
  Ref<Errhandler> errhandler_;
};

}  // namespace antiphon::objects
