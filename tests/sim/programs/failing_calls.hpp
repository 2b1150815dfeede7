// A call of MPI's that is made again for as long as it says MPI_ERR_NO_MEM because of memory that failed on purpose.
#pragma once

#include <mpi.h>

#include "programs/failing_memory.hpp"

namespace antiphon::sim {

[[nodiscard]] inline bool is_for_want_of_memory(int code) {
  int error_class = MPI_SUCCESS;
  return code != MPI_SUCCESS && PMPI_Error_class(code, &error_class) == MPI_SUCCESS && error_class == MPI_ERR_NO_MEM;
}

template <class Call>
int made_until_there_is_memory(Call&& call) {
  if (!failing_memory) return call();
  for (;;) {
    const std::uint64_t failed = failing_memory->seen->failed;
    const bool before = memory_may_fail;
    memory_may_fail = true;
    const int code = call();
    memory_may_fail = before;
    if (!is_for_want_of_memory(code) || failing_memory->seen->failed == failed) return code;
    ++failing_memory->seen->calls_again;
  }
}

}  // namespace antiphon::sim
