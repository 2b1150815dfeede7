// What the end of a rank means for the job: a message and an exit status. Pure functions.
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
  int rank_on_node;  // number of its slot
  pid_t pid;
  int wait_status;  // as from waitpid
};

// "rank 3 (pid 4711, host node7)"
std::string name_rank(int rank, pid_t pid, const std::string& host);

// How many processes of this control group the kernel had killed for lack of memory before the job, and has killed by
// now.
struct MemoryKills {
  std::uint64_t before = 0, now = 0;
};

// If several ranks have ended, judges the first that a signal killed, otherwise the first that failed; nothing if
// none did.
std::optional<Verdict> judge_ends(const std::vector<EndedRank>& ended, const std::string& host,
                                  const MemoryKills& kills = {});

// The verdict after `who` (from name_rank) has called MPI_Abort.
Verdict judge_abort(const bootstrap::Header& header, const std::string& who);

}  // namespace antiphon::launch
