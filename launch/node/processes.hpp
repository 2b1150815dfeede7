// All processes of the job: the ranks and all processes that they have started. The supervisor is their subreaper, so
// an orphan becomes its child instead of escaping, and if it has no child left, no process is left.
#pragma once

#include <sys/types.h>

#include <vector>

namespace antiphon::launch {

// Makes the calling process the new parent of every orphan among its descendants.
void adopt_orphans();

// Children, their children and so on of the calling process, from one scan of /proc. Zombies are included.
std::vector<pid_t> descendants();

void signal_descendants(int signal_number);

// Kills and reaps descendants until none is left, even if they keep forking. Gives up after some seconds on a process
// that SIGKILL does not end, because it is in an uninterruptible system call.
void kill_all_descendants();

}  // namespace antiphon::launch
