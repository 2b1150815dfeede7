#include "mpiexec/processes.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

namespace antiphon::launch {
namespace {

std::optional<pid_t> as_pid(std::string_view text) {
  pid_t pid = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return pid;
}

// From /proc/PID/stat: "PID (any name, even with parentheses) STATE PARENT ...".
std::optional<pid_t> parent_of(pid_t pid) {
  const int fd = open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::array<char, 512> buffer;
  const ssize_t length = read(fd, buffer.data(), buffer.size());
  close(fd);
  if (length <= 0) return std::nullopt;
  std::string_view text(buffer.data(), static_cast<std::size_t>(length));
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string_view::npos || text.size() < name_end + 4) return std::nullopt;
  text.remove_prefix(name_end + 4);
  return as_pid(text.substr(0, text.find(' ')));
}

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  const std::unique_ptr<DIR, CloseDirectory> proc(opendir("/proc"));
  while (const dirent* entry = proc ? readdir(proc.get()) : nullptr) {
    const std::optional<pid_t> pid = as_pid(entry->d_name);
    if (!pid) continue;
    if (const std::optional<pid_t> parent = parent_of(*pid)) children.emplace(*parent, *pid);
  }
  return children;
}

// True when no child is left.
bool reap_everything_dead() {
  while (true) {
    const pid_t pid = waitpid(-1, nullptr, WNOHANG | __WALL);
    if (pid == 0) return false;
    if (pid < 0 && errno != EINTR) return true;
  }
}

}  // namespace

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::vector<pid_t> descendants() {
  const auto children = children_by_parent();
  std::vector<pid_t> found{getpid()};
  for (std::size_t next = 0; next < found.size(); ++next) {
    const auto [first, last] = children.equal_range(found[next]);
    for (auto child = first; child != last; ++child) found.push_back(child->second);
  }
  found.erase(found.begin());
  return found;
}

void signal_descendants(int signal_number) {
  for (const pid_t pid : descendants()) kill(pid, signal_number);
}

void kill_all_descendants() {
  using namespace std::chrono_literals;
  const auto give_up = std::chrono::steady_clock::now() + 5s;
  for (auto pause = 200us; !reap_everything_dead(); pause = std::min(2 * pause, 20000us)) {
    signal_descendants(SIGKILL);
    std::this_thread::sleep_for(pause);
    if (std::chrono::steady_clock::now() > give_up) return;
  }
}

}  // namespace antiphon::launch
