// The one global of the library: the process whose calls arrive through the C interface. Null before MPI_Init.
#pragma once

#include "process/process.hpp"

namespace antiphon::api {

enum class Phase { before_init, running, finalized };

struct Current {
  process::Process* process = nullptr;
  Phase phase = Phase::before_init;
};

extern Current current;

}  // namespace antiphon::api
