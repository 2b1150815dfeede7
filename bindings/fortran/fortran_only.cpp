// Procedures that C has not, and the conversions of statuses, which C has where there is Fortran. In the standard ABI
// a status has one layout in all languages, so each conversion is a copy.
#include <ISO_Fortran_binding.h>

#include <cstring>

#include "fortran.hpp"

namespace antiphon::fortran {

namespace {

int copy(const void* from, void* to) {
  if (!from || !to) return MPI_ERR_ARG;
  std::memcpy(to, from, sizeof(MPI_Status));
  return MPI_SUCCESS;
}

}  // namespace

extern "C" {

void ANTIPHON_ENTRY(mpi_sizeof_f08ts_)(const CFI_cdesc_t* x, int* size, int* ierror) {
  *size = static_cast<int>(x->elem_len);
  give(ierror, MPI_SUCCESS);
}

// What the compiler cannot see through: it must have stored the buffer before the call, and load it after.
void ANTIPHON_ENTRY(mpi_f_sync_reg_f08ts_)(const CFI_cdesc_t*) {}
void ANTIPHON_ENTRY(mpi_f_sync_reg_)(const void*) {}

void ANTIPHON_ENTRY(mpi_status_f2f08_f08_)(const MPI_Fint* from, MPI_F08_status* to, int* ierror) {
  give(ierror, copy(from, to));
}
void ANTIPHON_ENTRY(mpi_status_f082f_f08_)(const MPI_F08_status* from, MPI_Fint* to, int* ierror) {
  give(ierror, copy(from, to));
}

int ANTIPHON_CALL(MPI_Status_c2f)(const MPI_Status* from, MPI_Fint* to) { return copy(from, to); }
int ANTIPHON_CALL(MPI_Status_f2c)(const MPI_Fint* from, MPI_Status* to) { return copy(from, to); }
int ANTIPHON_CALL(MPI_Status_c2f08)(const MPI_Status* from, MPI_F08_status* to) { return copy(from, to); }
int ANTIPHON_CALL(MPI_Status_f082c)(const MPI_F08_status* from, MPI_Status* to) { return copy(from, to); }
int ANTIPHON_CALL(MPI_Status_f2f08)(const MPI_Fint* from, MPI_F08_status* to) { return copy(from, to); }
int ANTIPHON_CALL(MPI_Status_f082f)(const MPI_F08_status* from, MPI_Fint* to) { return copy(from, to); }

}  // extern "C"

}  // namespace antiphon::fortran
