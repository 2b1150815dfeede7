#include "platform/linux/hardware.hpp"

#include <sched.h>

#include <charconv>
#include <filesystem>
#include <fstream>

namespace antiphon::platform {

namespace {

std::string line_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// The first number of a list such as "2-3,6". It is the least, because the kernel writes them in order.
std::optional<int> first_of(const std::string& list) {
  int number = 0;
  const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), number);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

std::optional<int> numa_node_of(const std::filesystem::path& cpu) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(cpu, ignored)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("node")) return first_of(line_of(entry.path() / "cpulist"));
  }
  return {};
}

// The data or unified cache of this level, by the number of its first CPU.
std::optional<int> cache_of(const std::filesystem::path& cpu, const char* level) {
  for (int index = 0;; ++index) {
    const auto cache = cpu / "cache" / ("index" + std::to_string(index));
    const std::string found = line_of(cache / "level");
    if (found.empty()) return {};
    if (found == level && line_of(cache / "type") != "Instruction")
      return first_of(line_of(cache / "shared_cpu_list"));
  }
}

// In the order of kHardwareTypes.
Whereabouts parts_around(int number, const std::string& root) {
  const std::filesystem::path cpu = root + "/sys/devices/system/cpu/cpu" + std::to_string(number);
  return {0,
          first_of(line_of(cpu / "topology/package_cpus_list")),
          numa_node_of(cpu),
          cache_of(cpu, "3"),
          cache_of(cpu, "2"),
          cache_of(cpu, "1"),
          first_of(line_of(cpu / "topology/core_cpus_list")),
          number};
}

std::vector<int> allowed_cpus() {
  constexpr int kMostCpus = 1 << 16;
  cpu_set_t* set = CPU_ALLOC(kMostCpus);
  const std::size_t bytes = CPU_ALLOC_SIZE(kMostCpus);
  std::vector<int> cpus;
  if (set && sched_getaffinity(0, bytes, set) == 0)
    for (int cpu = 0; cpu < kMostCpus; ++cpu)
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set)) cpus.push_back(cpu);
  CPU_FREE(set);
  return cpus;
}

}  // namespace

Whereabouts whereabouts() { return whereabouts(allowed_cpus(), ""); }

Whereabouts whereabouts(const std::vector<int>& cpus, const std::string& root) {
  Whereabouts common;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    const Whereabouts here = parts_around(cpus[i], root);
    for (std::size_t type = 0; type < common.size(); ++type)
      if (i == 0)
        common[type] = here[type];
      else if (common[type] != here[type])
        common[type].reset();
  }
  return common;
}

}  // namespace antiphon::platform
