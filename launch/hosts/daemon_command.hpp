// The command that starts the daemon of a node. Nothing about the job is on the command line or in the environment.
#pragma once

#include <string>
#include <vector>

#include "node/description.hpp"

namespace antiphon::launch {

[[nodiscard]] std::vector<std::string> daemon_command(const JobDescription& job, const std::string& host);

// As a user would type it.
[[nodiscard]] std::string shown(const std::vector<std::string>& words);

}  // namespace antiphon::launch
