// The settings of a job, from the environment of mpiexec and from its command line, which takes precedence. Settings
// that -x passes to single programs are checked as well, before anything is started.
#pragma once

#include "mpiexec/options.hpp"

namespace antiphon::launch {

// `environment` is as in environ(7). Throws Failure{kExitUsage}.
[[nodiscard]] settings::Values job_settings(const JobOptions& options, const char* const* environment);

}  // namespace antiphon::launch
