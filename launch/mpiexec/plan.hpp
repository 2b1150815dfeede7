// What a job needs decided before its first rank runs: which files, on which cpus. Throws Failure while nothing has
// been started yet.
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
