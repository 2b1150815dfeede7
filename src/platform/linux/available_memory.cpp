#include "platform/linux/available_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>

namespace antiphon::platform {

namespace {

// The number after `name` in a file of lines "name number"; the first number of a file if `name` is empty.
std::optional<std::size_t> number_in(const std::string& path, const std::string& name = "") {
  std::ifstream file(path);
  std::size_t number = 0;
  if (name.empty()) return file >> number ? std::optional(number) : std::nullopt;
  for (std::string word; file >> word;)
    if (word == name) return file >> number ? std::optional(number) : std::nullopt;
  return std::nullopt;
}

// The names that each version of control groups uses.
struct Groups {
  const char* mark;  // marks their line in /proc/self/cgroup, which ends with the path of the group
  const char* folder;
  const char* limit;
  const char* used;
  const char* events;
};
constexpr Groups kVersions[] = {
    {"0::", "", "memory.max", "memory.current", "memory.events"},
    {":memory:", "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "memory.oom_control"}};

// The memory left in a group. Cached pages of files do not count as used. SIZE_MAX if the limit is "max".
std::size_t left_in(const Groups& groups, const std::string& folder) {
  const auto limit = number_in(folder + "/" + groups.limit), used = number_in(folder + "/" + groups.used);
  if (!limit || !used) return SIZE_MAX;
  std::size_t can_go = 0;
  for (const char* kind : {"active_file", "inactive_file"})
    can_go += number_in(folder + "/memory.stat", kind).value_or(0);
  const std::size_t needed = *used - std::min(*used, can_go);
  return *limit - std::min(*limit, needed);
}

// The path of this process's group; nothing if it has none of this version.
std::optional<std::string> group_of_this_process(const Groups& groups, const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);)
    if (const std::size_t mark = line.find(groups.mark); mark != std::string::npos)
      return line.substr(mark + std::string_view(groups.mark).size());
  return std::nullopt;
}

}  // namespace

std::size_t available_memory(const std::string& root) {
  constexpr std::size_t kKibibyte = 1024;
  const auto in_system = number_in(root + "/proc/meminfo", "MemAvailable:");
  std::size_t least = in_system ? *in_system * kKibibyte : SIZE_MAX;
  for (const Groups& groups : kVersions)
    if (auto group = group_of_this_process(groups, root))
      for (; !group->empty(); group->resize(group->rfind('/')))
        least = std::min(least, left_in(groups, root + "/sys/fs/cgroup" + groups.folder + *group));
  return least;
}

std::uint64_t memory_kills(const std::string& root) {
  std::uint64_t kills = 0;
  for (const Groups& groups : kVersions)
    if (const auto group = group_of_this_process(groups, root))
      kills +=
          number_in(root + "/sys/fs/cgroup" + groups.folder + *group + "/" + groups.events, "oom_kill").value_or(0);
  return kills;
}

}  // namespace antiphon::platform
