// Conversions between MPI_Status, whose layout the ABI defines, and the core's Outcome.
#pragma once

#include <cstring>

#include "mpi.h"
#include "objects/request.hpp"

namespace antiphon::api {

// All but MPI_ERROR, which only procedures that complete several operations may write (MPI 5.0, 3.2.5).
inline void set_status(MPI_Status* status, const objects::Outcome& outcome) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = outcome.source;
  status->MPI_TAG = outcome.tag;
  std::memcpy(&status->MPI_internal[0], &outcome.bytes, sizeof outcome.bytes);
  status->MPI_internal[2] = outcome.cancelled ? 1 : 0;
}
inline bool status_cancelled(const MPI_Status& status) { return status.MPI_internal[2] != 0; }
inline void set_status_cancelled(MPI_Status* status, bool cancelled) { status->MPI_internal[2] = cancelled ? 1 : 0; }

// All of `from` but its MPI_ERROR.
inline void copy_status(MPI_Status* status, const MPI_Status& from) {
  const int error = status->MPI_ERROR;
  *status = from;
  status->MPI_ERROR = error;
}

inline std::int64_t status_bytes(const MPI_Status& status) {
  std::int64_t bytes = 0;
  std::memcpy(&bytes, &status.MPI_internal[0], sizeof bytes);
  return bytes;
}

inline void set_status_bytes(MPI_Status* status, std::int64_t bytes) {
  std::memcpy(&status->MPI_internal[0], &bytes, sizeof bytes);
}

// Of nothing to wait for (MPI 5.0, 3.7.3): unlike the status of an operation it says that there is no error.
inline void set_empty_status(MPI_Status* status) {
  set_status(status, {});
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS;
}

}  // namespace antiphon::api
