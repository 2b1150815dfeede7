#include "platform/linux/process_stat.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace antiphon::platform {

// Of /proc/PID/stat these are the fields 4, 14 and 15. The name in field 2 may hold anything, but nothing after its
// last parenthesis.
std::optional<ProcessStat> process_stat(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  ProcessStat stat;
  std::string skipped;
  fields >> skipped >> stat.parent;
  for (int field = 5; field < 14; ++field) fields >> skipped;
  std::uint64_t user = 0, system = 0;
  fields >> user >> system;
  stat.cpu_ms = (user + system) * 1000 / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  return stat;
}

}  // namespace antiphon::platform
