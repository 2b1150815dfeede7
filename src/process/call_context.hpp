// The MPI call that the process is in: what errors and wait reports name. Set and restored by api::Call.
#pragma once

#include "objects/comm.hpp"

namespace antiphon::process {

struct CallContext {
  const char* procedure = "";
  objects::Comm* comm = nullptr;  // whose error handler applies, if the call has one
};

}  // namespace antiphon::process
