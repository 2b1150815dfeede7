#include "node/processes.hpp"

#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

#include "platform/linux/process_stat.hpp"

namespace antiphon::launch {
namespace {

std::optional<pid_t> as_pid(std::string_view text) {
  pid_t pid = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return pid;
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
    if (const auto stat = platform::process_stat(*pid)) children.emplace(stat->parent, *pid);
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
