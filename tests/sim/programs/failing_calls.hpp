// A call of MPI's that is made again for as long as it says MPI_ERR_NO_MEM because of memory that failed on purpose.
#pragma once

#include <mpi.h>

#include "programs/failing_memory.hpp"

namespace antiphon::sim {

// For a call that failed: whether that was for want of memory. Ends the run, if memory will never come back.
[[nodiscard]] bool is_to_be_made_again(const char* name, int code);

template <class Call>
int made_until_there_is_memory(const char* name, Call&& call) {
  if (!failing_memory) return call();
  for (;;) {
    const std::uint64_t failed = failing_memory->seen->failed;
    const bool before = memory_may_fail;
    memory_may_fail = true;
    const int code = call();
    memory_may_fail = before;
    if (code == MPI_SUCCESS || failing_memory->seen->failed == failed || !is_to_be_made_again(name, code))
      return code;
    ++failing_memory->seen->calls_again;
  }
}

}  // namespace antiphon::sim
