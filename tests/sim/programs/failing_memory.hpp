// Memory that fails on purpose while a simulated rank is in an MPI call. operator new, which this replaces in
// sim_run, throws for one allocation, for some that are drawn, or for all from one on. A program goes through
// failing_calls.cpp, which makes a call again that says MPI_ERR_NO_MEM: such a call has had no effect, so the program
// ends as if nothing had happened. What the simulator itself allocates never fails.
#pragma once

#include <cstdint>

#include "base/rng.hpp"

namespace antiphon::sim {

struct FailingMemory {
  // What fails, of the allocations of all ranks in MPI calls, numbered from 1.
  std::uint64_t nth = 0;   // this one; 0: none
  bool and_later = false;  // and all after it
  unsigned per_mille = 0;  // so many of a thousand
  base::Rng draws{1};
  bool shows = false;  // who asked, as addresses in the program: addr2line -Cfie sim_run

  // What has happened, in memory that whoever looks afterwards has, too.
  struct Seen {
    std::uint64_t asked = 0, failed = 0, calls_again = 0;
    bool ended = false;  // by an error that says so
  };
  Seen* seen = nullptr;

  [[nodiscard]] bool fails_next();
};

// Of the run; null while memory does not fail.
extern FailingMemory* failing_memory;
// Whether the rank that runs is in an MPI call, and in code of the library's.
extern bool memory_may_fail;

// While it lives, the simulator allocates for itself.
class SparedMemory {
 public:
  SparedMemory() : before_(memory_may_fail) { memory_may_fail = false; }
  ~SparedMemory() { memory_may_fail = before_; }
  SparedMemory(const SparedMemory&) = delete;
  SparedMemory& operator=(const SparedMemory&) = delete;

 private:
  bool before_;
};

}  // namespace antiphon::sim
