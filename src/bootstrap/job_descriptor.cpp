#include "bootstrap/job_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "platform/linux/process_stat.hpp"

namespace antiphon::bootstrap {
namespace {

// 0: unknown.
pid_t parent_of(pid_t pid) {
  const auto stat = platform::process_stat(pid);
  return stat ? stat->parent : 0;
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
