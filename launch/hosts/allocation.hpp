// The hosts that a user has been given, if the environment says so: by the resource manager in whose allocation
// mpiexec runs, or by what prepares a job for another MPI's mpiexec, as Kubernetes' MPI operator does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bootstrap/environment.hpp"
#include "hosts/host_list.hpp"

namespace antiphon::launch {

struct Allocation {
  std::string variable;  // which says so
  std::vector<HostSlots> hosts;
};

// Throws Failure{kExitUsage}, whose message begins with the variable, if what it says cannot be understood.
[[nodiscard]] std::optional<Allocation> find_allocation(const bootstrap::Environment& environment);

[[nodiscard]] bool is_in_slurm(const bootstrap::Environment& environment);

}  // namespace antiphon::launch
