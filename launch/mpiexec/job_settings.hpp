// The settings of a job, from the environment of mpiexec and from its command line, which wins. Checked before
// anything is started, the variables that programs are given by -x included.
#pragma once

#include "mpiexec/options.hpp"

namespace antiphon::launch {

// `environment` as in environ(7). Throws Failure{kExitUsage}.
[[nodiscard]] settings::Values job_settings(const JobOptions& options, const char* const* environment);

}  // namespace antiphon::launch
