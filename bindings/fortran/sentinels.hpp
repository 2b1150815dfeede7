// Variables of Fortran whose addresses stand for something else. Each is a COMMON block of the modules and of mpif.h,
// so every program, and every library in it, means the same address.
#pragma once

#include <mpi.h>

extern "C" {
extern int antiphon_mpi_bottom_;
extern int antiphon_mpi_in_place_;
extern int antiphon_mpi_buffer_automatic_;
extern int antiphon_mpi_errcodes_ignore_[1];
extern int antiphon_mpi_unweighted_[1];
extern int antiphon_mpi_weights_empty_[1];
extern int antiphon_mpi_status_ignore_[MPI_F_STATUS_SIZE];
extern int antiphon_mpi_statuses_ignore_[MPI_F_STATUS_SIZE];
extern char antiphon_mpi_argv_null_[1];
extern char antiphon_mpi_argvs_null_[1];
}

namespace antiphon::fortran {

// The address of a choice buffer.
inline void* buffer_address(void* buffer) {
  if (buffer == &antiphon_mpi_bottom_) return MPI_BOTTOM;
  if (buffer == &antiphon_mpi_in_place_) return MPI_IN_PLACE;
  if (buffer == &antiphon_mpi_buffer_automatic_) return MPI_BUFFER_AUTOMATIC;
  return buffer;
}

inline int* weights_of(int* array) {
  if (array == antiphon_mpi_unweighted_) return MPI_UNWEIGHTED;
  if (array == antiphon_mpi_weights_empty_) return MPI_WEIGHTS_EMPTY;
  return array;
}

inline const int* weights_of(const int* array) { return weights_of(const_cast<int*>(array)); }

inline int* errcodes_of(int* array) { return array == antiphon_mpi_errcodes_ignore_ ? MPI_ERRCODES_IGNORE : array; }

// A status has the same layout in both languages.
static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(int));

inline MPI_Status* status_of(int* integers) {
  return integers == antiphon_mpi_status_ignore_ ? MPI_STATUS_IGNORE : reinterpret_cast<MPI_Status*>(integers);
}

inline const MPI_Status* status_of(const int* integers) { return status_of(const_cast<int*>(integers)); }

inline MPI_Status* statuses_of(int* integers) {
  return integers == antiphon_mpi_statuses_ignore_ ? MPI_STATUSES_IGNORE : reinterpret_cast<MPI_Status*>(integers);
}

}  // namespace antiphon::fortran
