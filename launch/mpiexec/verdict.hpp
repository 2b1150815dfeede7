// What the end of a rank means for the job, in words and as an exit status. Pure.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bootstrap/job_segment.hpp"

namespace antiphon::launch {

struct Verdict {
  int exit_status;
  std::string message;
};

struct EndedRank {
  int rank;          // in MPI_COMM_WORLD
  int rank_on_node;  // its slot
  pid_t pid;
  int wait_status;  // as from waitpid
};

// "rank 3 (pid 4711, host node7)"
std::string name_rank(int rank, pid_t pid, const std::string& host);

// How often the kernel has killed in this control group for want of memory, before the job and now.
struct MemoryKills {
  std::uint64_t before = 0, now = 0;
};

// The one to blame when several ranks ended at once: the first that a signal killed, else the first that failed;
// nothing if none did.
std::optional<Verdict> judge_ends(const std::vector<EndedRank>& ended, const std::string& host,
                                  const MemoryKills& kills = {});

// After MPI_Abort, called by `who` (name_rank).
Verdict judge_abort(const bootstrap::Header& header, const std::string& who);

}  // namespace antiphon::launch
