// Brings MPI up and shuts it down. The world model (from MPI_Init to MPI_Finalize) and every session keep the process
// initialized: the first of them initializes it, the last shuts it down, and a later session can initialize it again.
// A mutex in process::Anytime serializes these changes.
#pragma once

#include "api/call.hpp"

namespace antiphon::api {

// MPI_Init and MPI_Finalize. The world model can begin once only.
void begin_world(Call& call, int thread_level);
void end_world(Call& call);

// MPI_Session_init and MPI_Session_finalize. begin_session returns the thread level that the session gets. That is
// lower than `thread_level` if the process was initialized for one thread at a time.
[[nodiscard]] int begin_session(Call& call, int thread_level);
void end_session(Call& call, const objects::Session& session);

}  // namespace antiphon::api
