#include "mpiexec/launcher.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>

#include "common/failure.hpp"
#include "hosts/allocation.hpp"

namespace antiphon::launch {
namespace {

// The daemon gets all CPUs of its host that the job has. (--overlap: Slurm 20.11 and newer.)
LaunchCommand srun() {
  return {.words = {"srun", "--quiet", "--nodes=1", "--ntasks=1", "--overlap", "--mpi=none", "--cpu-bind=none",
                    "--nodelist"},
          .has_shell = false};
}

std::vector<std::string> words_in(const std::optional<std::string>& text) {
  std::istringstream words(text.value_or(""));
  return {std::istream_iterator<std::string>(words), {}};
}

// What those who prepare jobs for another mpiexec, as Kubernetes' MPI operator does, set for its command.
constexpr const char* kCommands[] = {"HYDRA_LAUNCHER_EXEC", "OMPI_MCA_plm_rsh_agent", "PRTE_MCA_plm_ssh_agent"};
constexpr const char* kMoreArguments[] = {"HYDRA_LAUNCH_EXTRA_ARGS", "OMPI_MCA_plm_rsh_args",
                                          "PRTE_MCA_plm_ssh_args"};

// ssh asks nothing, because several hosts would ask at once; it gives up on a host that does not answer.
LaunchCommand ssh(const bootstrap::Environment& environment) {
  LaunchCommand command{.words = {"ssh", "-x", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"}};
  for (const char* variable : kCommands)
    if (std::vector<std::string> words = words_in(environment(variable)); !words.empty())
      command.words = std::move(words);
  for (const char* variable : kMoreArguments)
    std::ranges::move(words_in(environment(variable)), std::back_inserter(command.words));
  return command;
}

}  // namespace

std::string daemon_path(const JobOptions& options) {
  namespace fs = std::filesystem;
  constexpr const char* kBelowPrefix = "libexec/antiphon/antiphon-node";
  if (!options.prefix.empty()) return (fs::path(options.prefix) / kBelowPrefix).string();
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path beside = folder / "antiphon-node";  // where it was built
  const fs::path installed = folder.parent_path() / kBelowPrefix;
  for (const fs::path& path : {beside, installed})
    if (access(path.c_str(), X_OK) == 0) return path.string();
  throw Failure{kExitFailure,
                fmt::format("this installation has no antiphon-node, which runs ranks on other hosts: neither {} nor "
                            "{}",
                            installed.string(), beside.string())};
}

LaunchCommand launch_command(const JobOptions& options, const bootstrap::Environment& environment) {
  if (options.launcher == Launcher::fork) return {};
  if (!options.launcher_exec.empty()) return {.words = {options.launcher_exec}};
  if (options.launcher == Launcher::slurm && !is_in_slurm(environment))
    usage_error(
        "--launcher: slurm starts ranks within an allocation, and this is none, as SLURM_JOB_ID is not set (valid: "
        "after "
        "salloc or in a script for sbatch; otherwise --launcher ssh)");
  if (options.launcher != Launcher::ssh && is_in_slurm(environment)) return srun();
  return ssh(environment);
}

}  // namespace antiphon::launch
