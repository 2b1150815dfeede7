#include "bootstrap/foreign.hpp"

#include <fmt/format.h>

namespace antiphon::bootstrap {
namespace {

// A process was started by `launcher` when `mark` is set; alone when `size` says 1. A launcher that does not tell the
// size has none here. Most telling first: Open MPI's mpirun sets PMIx's marks as well.
struct Mark {
  const char* launcher;
  const char* mark;
  const char* size;
};

constexpr Mark kMarks[] = {
    {"Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE"},
    {"MVAPICH's mpirun", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
    {"MVAPICH's mpirun", "MVP_COMM_WORLD_RANK", "MVP_COMM_WORLD_SIZE"},
    {"IBM's jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"},
    {"Flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE"},
    {"HPE's PALS", "PALS_RANKID", "PMI_SIZE"},
    {"Cray's aprun", "ALPS_APP_PE", nullptr},
    {"a PMI launcher (MPICH's or Intel's mpiexec)", "PMI_RANK", "PMI_SIZE"},
    {"a PMI launcher (MPICH's or Intel's mpiexec)", "PMI_SIZE", "PMI_SIZE"},
    {"a PMI launcher (MPICH's or Intel's mpiexec)", "PMI_FD", "PMI_SIZE"},
    {"a PMI launcher (MPICH's or Intel's mpiexec)", "PMI_PORT", "PMI_SIZE"},
    {"a PMIx launcher (prterun, srun --mpi=pmix)", "PMIX_NAMESPACE", "SLURM_STEP_NUM_TASKS"},
    {"a PMIx launcher (prterun, srun --mpi=pmix)", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
};

std::string complaint(const char* launcher, const char* mark, const std::string& value) {
  return fmt::format(
      "this process was started by {} ({}={}), whose protocol this version of Antiphon does not speak: "
      "start the program by Antiphon's mpiexec, or, if it is meant to run alone, unset {} or set "
      "{}=1",
      launcher, mark, value, mark, kSingletonVariable);
}

}  // namespace

std::optional<std::string> foreign_launcher(const Environment& environment) {
  bool known_alone = false;
  for (const Mark& mark : kMarks) {
    const std::optional<std::string> value = environment(mark.mark);
    if (!value) continue;
    if (mark.size != nullptr && number(environment, mark.size) == 1) {
      known_alone = true;  // the same launcher may have left the marks of a lower layer that does not tell the size
    } else if (!known_alone) {
      return complaint(mark.launcher, mark.mark, *value);
    }
  }
  // The shell of an sbatch script has SLURM_PROCID too, but is no step: only a step counts its tasks.
  const std::optional<std::string> slurm_rank = environment("SLURM_PROCID");
  if (slurm_rank && number(environment, "SLURM_STEP_NUM_TASKS").value_or(1) > 1) {
    return complaint("Slurm's srun", "SLURM_PROCID", *slurm_rank);
  }
  return std::nullopt;
}

}  // namespace antiphon::bootstrap
