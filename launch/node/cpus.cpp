#include "node/cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace antiphon::launch {
namespace {

constexpr double kNoQuota = std::numeric_limits<double>::infinity();

// Reads cpu.max of version 2: "max 100000" or "150000 100000".
double quota_of_v2(const std::string& directory) {
  std::ifstream file(directory + "/cpu.max");
  double quota_us = 0;
  double period_us = 0;
  return file >> quota_us >> period_us && period_us > 0 ? quota_us / period_us : kNoQuota;
}

// Version 1 has one file each for quota and period; a quota of -1 means none.
double quota_of_v1(const std::string& directory) {
  std::ifstream quota_file(directory + "/cpu.cfs_quota_us");
  std::ifstream period_file(directory + "/cpu.cfs_period_us");
  double quota_us = 0;
  double period_us = 0;
  const bool limited = quota_file >> quota_us && period_file >> period_us && quota_us > 0 && period_us > 0;
  return limited ? quota_us / period_us : kNoQuota;
}

bool has_word(const std::string& words, std::string_view wanted) {
  std::istringstream stream(words);
  for (std::string word; std::getline(stream, word, ',');) {
    if (word == wanted) return true;
  }
  return false;
}

// Where a hierarchy with the cpu controller is mounted, and which of its groups is the top there: a container sees
// its own group as the top, whatever /proc/self/cgroup names it.
struct Mount {
  bool is_v2;
  std::string top_group;
  std::string directory;
};

// A line of /proc/self/mountinfo: id parent device TOP DIRECTORY options [optional...] - TYPE source OPTIONS
std::optional<Mount> cpu_mount(const std::string& line) {
  std::istringstream fields(line);
  std::string skipped, top_group, directory, type, options;
  fields >> skipped >> skipped >> skipped >> top_group >> directory;
  while (fields >> skipped && skipped != "-") {
  }
  fields >> type >> skipped >> options;
  if (type == "cgroup2") return Mount{.is_v2 = true, .top_group = top_group, .directory = directory};
  if (type == "cgroup" && has_word(options, "cpu")) {
    return Mount{.is_v2 = false, .top_group = top_group, .directory = directory};
  }
  return std::nullopt;
}

// The group of this process in the hierarchy of `mount`: "0::/group" or "3:cpu,cpuacct:/group".
std::optional<std::string> group_in(const Mount& mount, const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (mount.is_v2 ? controllers.empty() : has_word(controllers, "cpu")) return line.substr(second + 1);
  }
  return std::nullopt;
}

// The lowest quota from the group up to the top of the mount; the quotas of all ancestors apply, too.
double least_quota(const Mount& mount, std::string group, const std::string& root) {
  if (mount.top_group != "/" && group.starts_with(mount.top_group)) group.erase(0, mount.top_group.size());
  double least = kNoQuota;
  while (true) {
    const std::string directory = root + mount.directory + (group == "/" ? "" : group);
    least = std::min(least, mount.is_v2 ? quota_of_v2(directory) : quota_of_v1(directory));
    if (group.empty() || group == "/") return least;
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

std::vector<int> read_allowed() {
  for (int capacity = 1024;; capacity *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(capacity));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    CPU_ZERO_S(bytes, set);
    std::vector<int> allowed;
    if (sched_getaffinity(0, bytes, set) == 0) {
      for (int cpu = 0; cpu < capacity; ++cpu) {
        if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set)) allowed.push_back(cpu);
      }
    }
    CPU_FREE(set);
    if (!allowed.empty() || capacity > (1 << 20)) return allowed;
  }
}

}  // namespace

int CpuLimits::usable() const {
  const double cpus = std::min(static_cast<double>(allowed.size()), std::ceil(quota));
  return std::max(1, static_cast<int>(cpus));
}

double read_cpu_quota(const std::string& root) {
  double least = kNoQuota;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const std::optional<Mount> mount = cpu_mount(line);
    if (!mount) continue;
    if (const std::optional<std::string> group = group_in(*mount, root)) {
      least = std::min(least, least_quota(*mount, *group, root));
    }
  }
  return least;
}

CpuLimits read_cpu_limits() { return {.allowed = read_allowed(), .quota = read_cpu_quota("")}; }

}  // namespace antiphon::launch
