// Memory that runs out on purpose while a simulated rank is in an MPI call: the system has nothing for one
// allocation, or from one on, until enough calls have failed for it. The library's reserve has to do meanwhile. A
// program goes through failing_calls.cpp, which makes a call again that says MPI_ERR_NO_MEM: such a call has had no
// effect, so the program ends as if nothing had happened.
#pragma once

#include <cstddef>
#include <cstdint>

namespace antiphon::sim {

struct FailingMemory {
  // Of the allocations of all ranks in MPI calls, numbered from 1, this one fails; 0: none.
  std::uint64_t nth = 0;
  // And all after it that are for more than the library has given back of its reserve, until so many calls have
  // failed.
  unsigned calls_to_fail = 0;
  bool shows = false;  // who asked, as addresses in the program: addr2line -Cfie sim_run

  // What has happened, in memory that whoever looks afterwards has, too.
  struct Seen {
    std::uint64_t asked = 0, failed = 0, calls_again = 0;
    bool ended = false;  // the job, because a call was refused whose errors are fatal
  };
  Seen* seen = nullptr;
  std::size_t used = 0;  // bytes, of what the reserve has given back

  [[nodiscard]] bool fails_next(std::size_t bytes);
};

// Of the run; null while memory does not fail.
extern FailingMemory* failing_memory;
// Whether the rank that runs is in an MPI call, and in code of the library's.
extern bool memory_may_fail;
// From here on the library asks `failing_memory` first.
void let_memory_fail();

}  // namespace antiphon::sim
