// Short messages of a process whose threads are in MPI at once, beside the lane: threads on different communicators
// have no lock in common here (docs/point_to_point.md). As in api/fast.hpp true means that the call is done, false
// that nothing has happened and it has to go the long way, in the lane. So nothing here reports errors, and what
// waits gives up after a while. A blocking receive is a body of its own, for once it has begun there is no way back.
// To be asked where applies().
#pragma once

#include "api/current.hpp"
#include "mpi.h"

namespace antiphon::api::beside {

inline bool applies() {
  const process::Process* process = current.running.load(std::memory_order_acquire);
  return process && process->works_beside_lane();
}

bool try_send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) noexcept;
bool try_isend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) noexcept;
bool try_irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
               MPI_Request* request) noexcept;
bool try_test(MPI_Request* request, int* flag, MPI_Status* status) noexcept;
bool try_wait(MPI_Request* request, MPI_Status* status) noexcept;
bool try_waitall(int count, MPI_Request requests[], MPI_Status* statuses) noexcept;

}  // namespace antiphon::api::beside
