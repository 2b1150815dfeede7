// The daemon of a node: starts the worker, which runs the node, and the daemons of nodes below its own in the tree,
// and passes orders down to them and events up. It understands the first order, and Pause. Runs until its own
// connection ends or nothing has come through it for some seconds; then it ends all below it, and every process of
// its node.
#pragma once

namespace antiphon::launch {

// The connection is stdin and stdout. Returns the exit status of the process.
int run_router();

}  // namespace antiphon::launch
