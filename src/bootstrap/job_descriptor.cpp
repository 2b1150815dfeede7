#include "bootstrap/job_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "bootstrap/job_segment.hpp"
#include "platform/linux/process_stat.hpp"

namespace antiphon::bootstrap {
namespace {

// 0: unknown.
pid_t parent_of(pid_t pid) {
  const auto stat = platform::process_stat(pid);
  return stat ? stat->parent : 0;
}

bool is_job_segment(int fd) {
  decltype(Header::magic) magic = 0;
  return pread(fd, &magic, sizeof magic, offsetof(Header, magic)) == ssize_t{sizeof magic} && magic == kJobMagic;
}

// -1 unless it is one. Nothing but a file is opened: to open a device or a pipe may have effects.
int open_job_segment(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return -1;
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0 || is_job_segment(fd)) return fd;
  close(fd);
  return -1;
}

}  // namespace

int find_job_descriptor(int inherited) {
  if (is_job_segment(inherited)) return inherited;
  for (pid_t ancestor = getppid(); ancestor > 1; ancestor = parent_of(ancestor)) {
    const int fd = open_job_segment(fmt::format("/proc/{}/fd/{}", ancestor, inherited));
    if (fd >= 0) return fd;
  }
  return fcntl(inherited, F_GETFD) >= 0 ? inherited : -1;
}

}  // namespace antiphon::bootstrap
