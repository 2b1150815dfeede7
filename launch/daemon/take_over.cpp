#include "daemon/take_over.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "common/failure.hpp"

namespace antiphon::launch {
namespace {

// The environment of mpiexec travels as a whole, because users expect of several hosts what they know of one: what
// they have exported is there. That holds for PATH, LD_LIBRARY_PATH and OMP_NUM_THREADS, without which programs do
// not run as they should; for TMPDIR, which resource managers call the same on all hosts of a job; and for DISPLAY,
// which a user sets to HOST:0 to see windows of all ranks (one that means the own screen, as :0, opens none
// elsewhere, as without it).
//
// These do not, because they are true on one machine or in one session only: a rank gets them from its own daemon,
// which ssh or the resource manager has started. Names that end in '*' stand for all that begin so.
constexpr std::array<std::string_view, 17> kOfTheMachine = {
    "DBUS_SESSION_BUS_ADDRESS", "HOST",          "HOSTNAME",     "PBS_NODENUM",  "PBS_TASKNUM",
    "SLURMD_NODENAME",          "SLURM_LOCALID", "SLURM_NODEID", "SLURM_PROCID", "SLURM_TASK_PID",
    "SLURM_TOPOLOGY_ADDR",      "SSH_*",         "STY",          "TMUX*",        "WINDOWID",
    "XDG_RUNTIME_DIR",          "XDG_SESSION_*"};

// These travel to hosts that do not have them. Where a host has them, its resource manager has set them, and its
// devices and files have other numbers and names than those of mpiexec's host; where it has none, a user has set them
// for all ranks. (`-x NAME=VALUE` sets them everywhere.)
constexpr std::array<std::string_view, 8> kOfTheMachineIfItHasThem = {
    "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "HIP_VISIBLE_DEVICES", "KRB5CCNAME",
    "ROCR_VISIBLE_DEVICES", "SLURM_JOB_GPUS",     "SLURM_STEP_GPUS",     "ZE_AFFINITY_MASK"};

bool is_of_the_machine(std::string_view entry) {
  const std::string_view name = entry.substr(0, entry.find('='));
  if (std::ranges::find(kOfTheMachineIfItHasThem, name) != kOfTheMachineIfItHasThem.end())
    return std::getenv(std::string{name}.c_str()) != nullptr;
  return std::ranges::any_of(kOfTheMachine, [&](std::string_view known) {
    return known.ends_with('*') ? name.starts_with(known.substr(0, known.size() - 1)) : name == known;
  });
}

void take_over_limits(const Limits& limits) {
  umask(static_cast<mode_t>(limits.umask));
  for (std::size_t resource = 0; resource < limits.soft.size(); ++resource) {
    const auto kind = static_cast<__rlimit_resource_t>(resource);
    rlimit here{};
    if (getrlimit(kind, &here) != 0) continue;
    here.rlim_cur = std::min<rlim_t>(limits.soft[resource], here.rlim_max);
    setrlimit(kind, &here);
  }
}

void take_over_directory(const JobDescription& job) {
  if (chdir(job.working_directory.c_str()) == 0) return;
  const int why = errno;
  const auto needs_it = [](const App& app) { return !app.working_directory.starts_with('/'); };
  if (std::ranges::none_of(job.apps, needs_it)) return;
  throw Failure{kExitUsage,
                fmt::format("cannot enter '{}', the directory in which mpiexec was started: {} (-wdir DIR starts "
                            "programs in another one)",
                            job.working_directory, std::strerror(why))};
}

}  // namespace

void take_over(JobDescription& job) {
  std::erase_if(job.environment, is_of_the_machine);
  for (const char* const* entry = environ; *entry != nullptr; ++entry)
    if (is_of_the_machine(*entry)) job.environment.emplace_back(*entry);
  // Programs are looked for in PATH as the ranks will see it.
  for (const std::string& entry : job.environment)
    if (entry.starts_with("PATH=")) setenv("PATH", entry.c_str() + 5, 1);
  take_over_limits(job.limits);
  take_over_directory(job);
}

}  // namespace antiphon::launch
