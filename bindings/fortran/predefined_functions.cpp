// MPI_COMM_DUP_FN and its kin: functions for attributes that a program may pass, and may call. And the operators of
// handles.
#include <mpi.h>

#include "arguments.hpp"

namespace antiphon::fortran {

namespace {

template <class Integer>
void copy_nothing(int*, int*, Integer*, Integer*, Integer*, int* flag, int* ierror) {
  *flag = logical_of(0);
  *ierror = MPI_SUCCESS;
}

template <class Integer>
void copy_value(int*, int*, Integer*, Integer* in, Integer* out, int* flag, int* ierror) {
  *out = *in;
  *flag = logical_of(1);
  *ierror = MPI_SUCCESS;
}

}  // namespace

extern "C" {

#define ANTIPHON_PREDEFINED(prefix, Integer)                                                                 \
  void prefix##null_copy_fn_(int* object, int* keyval, Integer* state, Integer* in, Integer* out, int* flag, \
                             int* ierror) {                                                                  \
    copy_nothing(object, keyval, state, in, out, flag, ierror);                                              \
  }                                                                                                          \
  void prefix##dup_fn_(int* object, int* keyval, Integer* state, Integer* in, Integer* out, int* flag,       \
                       int* ierror) {                                                                        \
    copy_value(object, keyval, state, in, out, flag, ierror);                                                \
  }                                                                                                          \
  void prefix##null_delete_fn_(int*, int*, Integer*, Integer*, int* ierror) { *ierror = MPI_SUCCESS; }

ANTIPHON_PREDEFINED(mpi_, int)
ANTIPHON_PREDEFINED(mpi_comm_, MPI_Aint)
ANTIPHON_PREDEFINED(mpi_type_, MPI_Aint)
ANTIPHON_PREDEFINED(mpi_win_, MPI_Aint)

#define ANTIPHON_OPERATORS(name)                                                             \
  int antiphon_eq_mpi_##name##_(const int* a, const int* b) { return logical_of(*a == *b); } \
  int antiphon_ne_mpi_##name##_(const int* a, const int* b) { return logical_of(*a != *b); }

ANTIPHON_OPERATORS(comm)
ANTIPHON_OPERATORS(datatype)
ANTIPHON_OPERATORS(errhandler)
ANTIPHON_OPERATORS(file)
ANTIPHON_OPERATORS(group)
ANTIPHON_OPERATORS(info)
ANTIPHON_OPERATORS(message)
ANTIPHON_OPERATORS(op)
ANTIPHON_OPERATORS(request)
ANTIPHON_OPERATORS(session)
ANTIPHON_OPERATORS(win)

}  // extern "C"

}  // namespace antiphon::fortran
