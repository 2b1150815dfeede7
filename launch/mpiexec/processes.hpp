// All processes of the job: the ranks and whatever they started. The supervisor is their subreaper, so an orphan
// becomes its child instead of escaping, and "no child left" means "nothing left".
#pragma once

#include <sys/types.h>

#include <vector>

namespace antiphon::launch {

// Makes the calling process the new parent of every orphan among its descendants.
void adopt_orphans();

// Children, their children and so on of the calling process, from one look at /proc. Ended ones count as long as
// nobody has waited for them.
std::vector<pid_t> descendants();

void signal_descendants(int signal_number);

// Kills and reaps descendants until none is left, however fast they multiply. What ignores even SIGKILL (a process in
// an uninterruptible system call) is given up after some seconds.
void kill_all_descendants();

}  // namespace antiphon::launch
