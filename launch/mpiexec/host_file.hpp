// The hosts that a file names, one a line, as other launchers take them: `HOST`, `HOST:SLOTS` or `HOST slots=N`; `#`
// begins a comment.
#pragma once

#include <string>
#include <vector>

namespace antiphon::launch {

struct HostLine {
  int number;  // from 1
  std::string host;
};

// Throws Failure{kExitUsage}, which begins with `option`, if there is no such file or no host in it.
std::vector<HostLine> read_host_file(const std::string& option, const std::string& path);

}  // namespace antiphon::launch
