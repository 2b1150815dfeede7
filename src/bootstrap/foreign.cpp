#include "bootstrap/foreign.hpp"

#include <fmt/format.h>

namespace antiphon::bootstrap {
namespace {

// What Antiphon could have used to join the job, for launchers that have it.
constexpr const char* kPmi = "a PMI socket (PMI_FD or PMI_PORT)";
constexpr const char* kPmix = "a PMIx server (PMIX_NAMESPACE and PMIX_RANK)";

// A process was started by `launcher` when `mark` is set; alone when `size` says 1. A launcher that does not tell the
// size has none here. `lacks`: what it usually offers, and did not; null: nothing that Antiphon speaks. Most telling
// first: Open MPI's mpirun sets PMIx's marks as well.
struct Mark {
  const char* launcher;
  const char* mark;
  const char* size;
  const char* lacks;
};

constexpr Mark kMarks[] = {
    {"Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", kPmix},
    {"Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", kPmix},
    {"MVAPICH's mpirun", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", kPmi},
    {"MVAPICH's mpirun", "MVP_COMM_WORLD_RANK", "MVP_COMM_WORLD_SIZE", kPmi},
    {"IBM's jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", kPmix},
    {"Flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", kPmi},
    {"HPE's PALS", "PALS_RANKID", "PMI_SIZE", nullptr},
    {"Cray's aprun", "ALPS_APP_PE", nullptr, nullptr},
    {"a PMI launcher (MPICH's or Intel's mpiexec)", "PMI_RANK", "PMI_SIZE", kPmi},
    {"a PMI launcher (MPICH's or Intel's mpiexec)", "PMI_SIZE", "PMI_SIZE", kPmi},
    {"a PMIx launcher (prterun, srun --mpi=pmix)", "PMIX_NAMESPACE", "SLURM_STEP_NUM_TASKS", kPmix},
    {"a PMIx launcher (prterun, srun --mpi=pmix)", "PMIX_RANK", "SLURM_STEP_NUM_TASKS", kPmix},
};

std::string complaint(const char* launcher, const std::string& why, const char* instead, const char* mark,
                      const std::string& value) {
  return fmt::format(
      "this process was started by {} ({}={}), {}: start the program by {}, or, if it is meant to run alone, unset "
      "{} "
      "or set {}=1",
      launcher, mark, value, why, instead, mark, kSingletonVariable);
}

std::string complaint(const Mark& mark, const std::string& value) {
  const std::string why = mark.lacks == nullptr
                              ? std::string("whose protocol this version of Antiphon does not speak")
                              : fmt::format("but not with {}, by which Antiphon finds its job", mark.lacks);
  return complaint(mark.launcher, why, "Antiphon's mpiexec", mark.mark, value);
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
      return complaint(mark, *value);
    }
  }
  // The shell of an sbatch script has SLURM_PROCID too, but is no step: only a step counts its tasks.
  const std::optional<std::string> slurm_rank = environment("SLURM_PROCID");
  if (slurm_rank && number(environment, "SLURM_STEP_NUM_TASKS").value_or(1) > 1) {
    return complaint("Slurm's srun", "but without an --mpi that Antiphon speaks",
                     "srun --mpi=pmix, srun --mpi=pmi2 or Antiphon's mpiexec", "SLURM_PROCID", *slurm_rank);
  }
  return std::nullopt;
}

}  // namespace antiphon::bootstrap
