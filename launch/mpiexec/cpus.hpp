// How many cpus this job may count on: the cpuset that mpiexec inherited, and the cpu quota of every control group it
// is in (versions 1 and 2, nested). Read once, before the ranks start.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace antiphon::launch {

struct CpuLimits {
  std::vector<int> allowed;                                // numbers of the kernel, ascending
  double quota = std::numeric_limits<double>::infinity();  // cpus' worth of time

  // At least 1: min(cpuset, quota rounded up).
  [[nodiscard]] int usable() const;
};

CpuLimits read_cpu_limits();

// The quota alone, from the files of proc(5) and cgroups(7) under `root` ("" on a real system).
double read_cpu_quota(const std::string& root);

}  // namespace antiphon::launch
