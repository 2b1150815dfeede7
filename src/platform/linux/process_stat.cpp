#include "platform/linux/process_stat.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace antiphon::platform {
namespace {

// The fields of a file such as /proc/PID/stat from field 3 on. Field 2, a name, may contain any character, but no
// parenthesis follows it. Empty if there is no such process or thread.
std::istringstream fields_of(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return std::istringstream(name_end == std::string::npos ? "" : line.substr(name_end + 1));
}

std::filesystem::path folder_of(pid_t pid) { return "/proc/" + std::to_string(pid); }

}  // namespace

// Reads fields 4 (parent), 14 and 15 (time in user code and in the system).
std::optional<ProcessStat> process_stat(pid_t pid) {
  std::istringstream fields = fields_of(folder_of(pid));
  ProcessStat stat;
  std::string skipped;
  if (!(fields >> skipped >> stat.parent)) return std::nullopt;
  for (int field = 5; field < 14; ++field) fields >> skipped;
  std::uint64_t user = 0, system = 0;
  fields >> user >> system;
  stat.cpu_ms = (user + system) * 1000 / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  return stat;
}

bool is_ancestor(pid_t pid) {
  std::optional<ProcessStat> stat;
  for (pid_t ancestor = getppid(); ancestor > 0; ancestor = stat->parent) {
    if (ancestor == pid) return true;
    if (!(stat = process_stat(ancestor))) return false;
  }
  return false;
}

Stopped who_stopped(pid_t pid) {
  std::error_code gone;
  Stopped stopped = Stopped::by_nobody;
  std::filesystem::directory_iterator thread(folder_of(pid) / "task", gone);
  for (; !gone && thread != std::filesystem::directory_iterator(); thread.increment(gone)) {
    char state = 0;
    fields_of(thread->path()) >> state;
    if (state == 't') return Stopped::by_tracer;
    if (state == 'T') stopped = Stopped::by_signal;
  }
  return stopped;
}

}  // namespace antiphon::platform
