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

// What files keep in memory can go. A limit of "max" is none.
std::size_t left_in(const std::string& group) {
  const auto limit = number_in(group + "/memory.max"), used = number_in(group + "/memory.current");
  if (!limit || !used) return SIZE_MAX;
  std::size_t can_go = 0;
  for (const char* kind : {"active_file", "inactive_file"})
    can_go += number_in(group + "/memory.stat", kind).value_or(0);
  const std::size_t needed = *used - std::min(*used, can_go);
  return *limit - std::min(*limit, needed);
}

std::string group_of_this_process(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  constexpr std::string_view kVersion2 = "0::";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(kVersion2)) return line.substr(kVersion2.size());
  return "/";
}

}  // namespace

std::size_t available_memory(const std::string& root) {
  constexpr std::size_t kKibibyte = 1024;
  const auto in_system = number_in(root + "/proc/meminfo", "MemAvailable:");
  std::size_t least = in_system ? *in_system * kKibibyte : SIZE_MAX;
  for (std::string group = group_of_this_process(root); !group.empty(); group.resize(group.rfind('/')))
    least = std::min(least, left_in(root + "/sys/fs/cgroup" + group));
  return least;
}

}  // namespace antiphon::platform
