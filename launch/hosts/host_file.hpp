// Reads a file of hosts, one or more a line, in the forms that other launchers accept: `HOST`, `HOST:SLOTS`, `HOST
// slots=N max_slots=N`, and Slurm's `n[1-4]`; `#` begins a comment. A host that is named several times gets all these
// slots.
#pragma once

#include <string>
#include <vector>

#include "hosts/host_list.hpp"

namespace antiphon::launch {

// Throws Failure{kExitUsage}, whose message begins with `option` and names the line, if the file cannot be read, has
// a mistake, or names no host.
[[nodiscard]] std::vector<HostSlots> read_host_file(const std::string& option, const std::string& path);

}  // namespace antiphon::launch
