// Access to the process for the fast paths of entry points (api/short.hpp).
#pragma once

#include "api/address.hpp"
#include "api/current.hpp"
#include "mpi.h"

namespace antiphon::api {

// For data that the lane protects; null if several threads may call MPI at once.
inline process::Process* look_at_process() { return current.alone.load(std::memory_order_relaxed); }
inline const objects::Comm* look_at(MPI_Comm handle) {
  const process::Process* process = look_at_process();
  return process ? process->comms.find(reinterpret_cast<std::uintptr_t>(handle)) : nullptr;
}
// For short messages, which need no lane.
inline process::Process* look_at_open_process() { return current.open.load(std::memory_order_acquire); }
inline bool threads_share_mpi() {
  const process::Process* process = look_at_open_process();
  return process && process->serves_threads();
}

}  // namespace antiphon::api
