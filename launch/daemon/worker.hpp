// Runs one node by the orders that come through a connection, and sends its events back, until the connection ends or
// nothing has come through it for some seconds. The daemon forks a process for it, which becomes the parent of the
// ranks.
#pragma once

#include <signal.h>
#include <sys/types.h>

namespace antiphon::launch {

// The connection is stdin and stdout. Returns the exit status of the process.
int run_worker(const sigset_t& signal_mask_of_ranks, pid_t daemon);

}  // namespace antiphon::launch
