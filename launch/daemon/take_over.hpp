// Makes this process, which runs a node on another machine, as much like mpiexec as its ranks should find it: working
// directory, limits, file mode mask, and the environment.
#pragma once

#include "node/description.hpp"

namespace antiphon::launch {

// Throws Failure if there is no such directory here. Removes from the environment of the job what describes the
// machine or the session of mpiexec, and adds what this process has under these names.
void take_over(JobDescription& job);

}  // namespace antiphon::launch
