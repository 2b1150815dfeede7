// What is decided about a job before its first rank runs: which file each rank executes, and on which CPUs. Throws
// Failure before anything has been started.
#pragma once

#include <string>
#include <vector>

#include "mpiexec/binding.hpp"
#include "mpiexec/core_claims.hpp"
#include "mpiexec/options.hpp"

namespace antiphon::launch {

struct JobPlan {
  explicit JobPlan(const JobOptions& options);

  std::vector<std::string> programs;  // one an app
  int usable_cpus;
  Binding binding;    // one set a rank
  CoreClaims claims;  // of the cpus in `binding`, as long as the job lives
};

}  // namespace antiphon::launch
