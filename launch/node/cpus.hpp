// How many CPUs this job can use: limited by the CPU set that mpiexec inherited and by the CPU quotas of all control
// groups that contain it (versions 1 and 2, nested). Read once, before the ranks start.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace antiphon::launch {

struct CpuLimits {
  std::vector<int> allowed;                                // the kernel's CPU numbers, ascending
  double quota = std::numeric_limits<double>::infinity();  // CPUs that may run all the time

  // At least 1: min(cpuset, quota rounded up).
  [[nodiscard]] int usable() const;
};

CpuLimits read_cpu_limits();

// The quota alone, from the files of proc(5) and cgroups(7) under `root` ("" on a real system).
double read_cpu_quota(const std::string& root);

}  // namespace antiphon::launch
