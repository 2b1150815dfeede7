#include "bootstrap/job_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace antiphon::bootstrap {
namespace {

// Field 4 of /proc/PID/stat; the name in field 2 may hold anything, but nothing after its last parenthesis. 0:
// unknown.
pid_t parent_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  std::string state;
  pid_t parent = 0;
  fields >> state >> parent;
  return parent;
}

bool is_memory_file(const std::string& path) {
  char target[64] = {};
  const ssize_t length = readlink(path.c_str(), target, sizeof target - 1);
  return length > 0 && std::string{target}.starts_with("/memfd:antiphon-job");
}

}  // namespace

int find_job_descriptor(int inherited) {
  if (fcntl(inherited, F_GETFD) >= 0) return inherited;
  for (pid_t ancestor = getppid(); ancestor > 1; ancestor = parent_of(ancestor)) {
    const std::string path = fmt::format("/proc/{}/fd/{}", ancestor, inherited);
    if (!is_memory_file(path)) continue;
    return open(path.c_str(), O_RDWR | O_CLOEXEC);
  }
  return -1;
}

}  // namespace antiphon::bootstrap
