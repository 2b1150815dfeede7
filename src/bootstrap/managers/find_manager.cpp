#include "bootstrap/managers/find_manager.hpp"

#include "bootstrap/managers/pmi.hpp"
#include "bootstrap/managers/pmix.hpp"

namespace antiphon::bootstrap {
namespace {

bool is_set(const Environment& environment, const char* variable) { return environment(variable).has_value(); }

// A launcher inside a job of another one inherits its variables. hydra inside a step of Slurm's PMIx leaves those of
// PMIx as they are; prterun and Open MPI's mpirun, which leave those of PMI, have marks of their own.
bool is_of_pmix(const Environment& environment) {
  if (!is_set(environment, "PMIX_NAMESPACE") || !is_set(environment, "PMIX_RANK")) return false;
  const bool has_pmi = is_set(environment, "PMI_FD") || is_set(environment, "PMI_PORT");
  return !has_pmi || is_set(environment, "PRTE_LAUNCHED") || is_set(environment, "OMPI_COMM_WORLD_RANK");
}

// The size of a step of Slurm says nothing about a job that another launcher has started from there.
bool is_alone_in_pmix(const Environment& environment) {
  if (number(environment, "OMPI_COMM_WORLD_SIZE") == 1) return true;
  return environment("PMIX_NAMESPACE").value_or("").starts_with("slurm.pmix.") &&
         number(environment, "SLURM_STEP_NUM_TASKS") == 1;
}

}  // namespace

std::unique_ptr<ProcessManager> find_manager(const Environment& environment) {
  if (is_of_pmix(environment)) return is_alone_in_pmix(environment) ? nullptr : std::make_unique<Pmix>(environment);
  if (is_set(environment, "PMI_FD"))
    return number(environment, "PMI_SIZE") == 1 ? nullptr : std::make_unique<Pmi>(environment);
  if (is_set(environment, "PMI_PORT")) return std::make_unique<Pmi>(environment);
  return nullptr;
}

}  // namespace antiphon::bootstrap
