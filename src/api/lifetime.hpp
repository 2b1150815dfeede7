// Whether MPI can be used. The world model (from MPI_Init to MPI_Finalize) and every session keep the process
// initialized: the first of them initializes it, the last shuts it down, and a later session can initialize it
// again.
#pragma once

#include "api/call.hpp"

namespace antiphon::api {

// The world model begins: at most once.
void begin_world(Call& call, int thread_level);
void end_world(Call& call);

// A session begins. What it gets may be less than `thread_level`: the world model may have chosen one thread before.
[[nodiscard]] int begin_session(Call& call, int thread_level);
void end_session(Call& call, const objects::Session& session);

}  // namespace antiphon::api
