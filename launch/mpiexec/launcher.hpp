// How the daemons on other hosts are started.
#pragma once

#include <string>
#include <vector>

#include "bootstrap/environment.hpp"
#include "mpiexec/options.hpp"
#include "node/description.hpp"

namespace antiphon::launch {

// The path of antiphon-node on the other hosts. Throws Failure if this installation has none.
[[nodiscard]] std::string daemon_path(const JobOptions& options);

// The command that starts another one on a host. Throws Failure{kExitUsage} if the user wants one that cannot work
// here.
[[nodiscard]] LaunchCommand launch_command(const JobOptions& options, const bootstrap::Environment& environment);

}  // namespace antiphon::launch
