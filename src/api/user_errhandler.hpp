// One call of a user's error handler. Call::raise() makes it as the last thing in an MPI call, because the handler
// may return, call MPI, or leave by longjmp. It holds plain values only, so a longjmp skips no destructor that
// matters.
#pragma once

#include "mpi.h"
#include "objects/errhandler.hpp"

namespace antiphon::api {

struct UserErrhandler {
  objects::Errhandler::UserFunction function;  // null: there is none to call
  objects::Errhandler::Kind kind;
  std::uintptr_t handle;  // of the object that the error happened on
  int code;

  void operator()();
};

}  // namespace antiphon::api
