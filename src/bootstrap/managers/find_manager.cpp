#include "bootstrap/managers/find_manager.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "bootstrap/foreign.hpp"
#include "bootstrap/managers/pmi.hpp"
#include "bootstrap/managers/pmix.hpp"

namespace antiphon::bootstrap {
namespace {

// Set by a process that has joined its job, for the programs that it starts.
constexpr const char* kJoinedVariable = "ANTIPHON_JOINED";

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

// A program that a rank starts inherits what the launcher has told that rank. Where that is the number of a
// descriptor, it does not have the descriptor; a library or an address would let it speak for the rank, in the middle
// of its conversation. So a rank notes for such programs who it is.
template <class Manager>
std::unique_ptr<ProcessManager> join_once(const Environment& environment, const char* job, const char* rank) {
  const std::string told =
      fmt::format("{}={} {}={}", job, environment(job).value_or(""), rank, environment(rank).value_or(""));
  if (environment(kJoinedVariable) == told)
    base::fail(kErrOther,
               fmt::format("another process is this rank of the job already, and this one inherited its "
                           "environment ({}). Start the next program by a launcher of its own, or, if it is "
                           "meant to run alone, set {}=1",
                           told, kSingletonVariable));
  auto manager = std::make_unique<Manager>(environment);
  setenv(kJoinedVariable, told.c_str(), 1);
  return manager;
}

}  // namespace

std::unique_ptr<ProcessManager> find_manager(const Environment& environment) {
  if (is_of_pmix(environment))
    return is_alone_in_pmix(environment) ? nullptr : join_once<Pmix>(environment, "PMIX_NAMESPACE", "PMIX_RANK");
  if (is_set(environment, "PMI_FD"))
    return number(environment, "PMI_SIZE") == 1 ? nullptr : std::make_unique<Pmi>(environment);
  if (is_set(environment, "PMI_PORT")) return join_once<Pmi>(environment, "PMI_PORT", "PMI_ID");
  return nullptr;
}

}  // namespace antiphon::bootstrap
