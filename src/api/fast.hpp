// Answers that take no more than a look. An entry point asks here first: true means that the answer is given; false
// that the call has to go the long way, which locks, checks every argument and reports errors. Nothing here may fail,
// wait or change anything, and nothing applies while several threads may be inside MPI.
#pragma once

#include "api/current.hpp"
#include "mpi.h"

namespace antiphon::api {

// Null if the long way has to be gone.
inline const process::Process* look_at_process() {
  const process::Process* process = current.running.load(std::memory_order_relaxed);
  return process && !process->lane().shared() ? process : nullptr;
}
inline const objects::Comm* look_at(MPI_Comm handle) {
  const process::Process* process = look_at_process();
  return process ? process->comms.find(reinterpret_cast<std::uintptr_t>(handle)) : nullptr;
}

inline bool try_comm_rank(MPI_Comm handle, int* rank) {
  const objects::Comm* comm = look_at(handle);
  if (!comm || !rank) return false;
  *rank = comm->rank();
  return true;
}

inline bool try_comm_size(MPI_Comm handle, int* size) {
  const objects::Comm* comm = look_at(handle);
  if (!comm || !size) return false;
  *size = comm->size();
  return true;
}

// A value that is there proves that its key lives; without one, the key has to be looked at.
inline bool try_comm_get_attr(MPI_Comm handle, int keyval, void* attribute_val, int* flag) {
  const objects::Comm* comm = look_at(handle);
  if (!comm || !attribute_val || !flag) return false;
  if (void* const* value = comm->attributes().find(keyval)) {
    *static_cast<void**>(attribute_val) = *value;
  } else {
    const int* predefined = look_at_process()->predefined_attribute(keyval);
    if (!predefined) return false;
    *static_cast<const void**>(attribute_val) = predefined;
  }
  *flag = 1;
  return true;
}

inline bool try_attr_get(MPI_Comm handle, int keyval, void* attribute_val, int* flag) {
  return try_comm_get_attr(handle, keyval, attribute_val, flag);
}

}  // namespace antiphon::api
