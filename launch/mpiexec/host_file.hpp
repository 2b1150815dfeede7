// Reads a host file with one host a line, in the forms that other launchers accept: `HOST`, `HOST:SLOTS` or `HOST
// slots=N`; `#` begins a comment.
#pragma once

#include <string>
#include <vector>

namespace antiphon::launch {

struct HostLine {
  int number;  // from 1
  std::string host;
};

// Throws Failure{kExitUsage}, whose message begins with `option`, if the file cannot be read or names no host.
std::vector<HostLine> read_host_file(const std::string& option, const std::string& path);

}  // namespace antiphon::launch
