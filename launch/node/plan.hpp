// What is decided before the first rank starts: which file each rank executes, and on which CPUs. Throws Failure
// before anything has been started.
#pragma once

#include <string>
#include <vector>

#include "node/binding.hpp"
#include "node/core_claims.hpp"
#include "mpiexec/options.hpp"

namespace antiphon::launch {

struct JobPlan {
  explicit JobPlan(const JobOptions& options);

  std::vector<std::string> programs;  // by app
  int usable_cpus;
  Binding binding;    // by rank
  CoreClaims claims;  // on the CPUs in `binding`, until the job ends
};

}  // namespace antiphon::launch
