// What an error can happen on: an object with an error handler of its own, such as a communicator or a session
// (MPI 5.0, 9.3). The error handler is never null once the object has a handle.
#pragma once

#include <string>

#include "objects/errhandler.hpp"

namespace antiphon::objects {

class ErrorScope : public WithHandle {
 public:
  virtual ~ErrorScope() = default;
  // What messages call it.
  [[nodiscard]] virtual std::string title() const = 0;
  [[nodiscard]] virtual Errhandler::Kind kind() const = 0;

  [[nodiscard]] Errhandler& errhandler() const { return *errhandler_; }
  [[nodiscard]] const Ref<Errhandler>& errhandler_ref() const { return errhandler_; }
  void set_errhandler(Ref<Errhandler> errhandler) { errhandler_ = std::move(errhandler); }

 protected:
  explicit ErrorScope(Ref<Errhandler> errhandler) : errhandler_(std::move(errhandler)) {}

 private:
  Ref<Errhandler> errhandler_;
};

}  // namespace antiphon::objects
