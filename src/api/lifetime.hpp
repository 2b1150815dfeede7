// When MPI is usable. The world model (from MPI_Init to MPI_Finalize) and every session hold the process up; the
// first of them brings it up, the last lets it down, and another session may take it up again.
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
