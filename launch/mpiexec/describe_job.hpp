// What the nodes have to know of a job, from the options and from this process: its environment, its working
// directory, its limits, its output.
#pragma once

#include "mpiexec/options.hpp"
#include "mpiexec/output.hpp"
#include "node/description.hpp"

namespace antiphon::launch {

[[nodiscard]] JobDescription describe_job(const JobOptions& options, const JobOutput& output);

}  // namespace antiphon::launch
