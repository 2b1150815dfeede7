// What the end of a rank means for the job: a message and an exit status. Pure functions.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "node/events.hpp"

namespace antiphon::launch {

struct JobVerdict {
  int exit_status;
  std::string message;
};

// "rank 3 (pid 4711, host node7)"
std::string name_rank(int rank, pid_t pid, const std::string& host);

// If several ranks have ended, judges the first that a signal killed, otherwise the first that failed; nothing if
// none did.
std::optional<JobVerdict> judge_ends(const std::vector<EndedRank>& ended, const std::string& host,
                                     const MemoryKills& kills = {});

// The verdict after `who` (from name_rank) has called MPI_Abort.
JobVerdict judge_abort(const Aborted& abort, const std::string& who);

}  // namespace antiphon::launch
