// One run of a user's error handler, ready to be called when nothing else is left to do: it may return, call MPI, or
// leave by longjmp. Plain values, so that a jump skips no destructor that matters.
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
