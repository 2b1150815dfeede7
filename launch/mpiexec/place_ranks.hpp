// Decides where the ranks run, from the command line, the files that it names and the resource manager.
#pragma once

#include "bootstrap/environment.hpp"
#include "mpiexec/options.hpp"

namespace antiphon::launch {

// Sets `placement`, and the number of ranks of programs for which the user has said none. Throws Failure{kExitUsage}.
void place_ranks(JobOptions& options, const bootstrap::Environment& environment);

}  // namespace antiphon::launch
