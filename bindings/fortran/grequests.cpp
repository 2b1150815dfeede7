// Generalized requests, whose functions are Fortran's.
#include "arguments.hpp"
#include "fortran.hpp"
#include "handles.hpp"

namespace antiphon::fortran {

namespace {

struct Functions {
  void (*query)(MPI_Aint* extra_state, int* status, int* ierror);
  void (*free)(MPI_Aint* extra_state, int* ierror);
  void (*cancel)(MPI_Aint* extra_state, int* complete, int* ierror);
  MPI_Aint extra_state;
};

int query(void* state, MPI_Status* status) {
  auto* const functions = static_cast<Functions*>(state);
  int ierror = MPI_SUCCESS;
  functions->query(&functions->extra_state, reinterpret_cast<int*>(status), &ierror);
  return ierror;
}

int cancel(void* state, int complete) {
  auto* const functions = static_cast<Functions*>(state);
  int ierror = MPI_SUCCESS, logical = logical_of(complete);
  functions->cancel(&functions->extra_state, &logical, &ierror);
  return ierror;
}

// The last of the three that is called.
int end(void* state) {
  auto* const functions = static_cast<Functions*>(state);
  int ierror = MPI_SUCCESS;
  functions->free(&functions->extra_state, &ierror);
  delete functions;
  return ierror;
}

}  // namespace

extern "C" {

void ANTIPHON_ENTRY(mpi_grequest_start_)(decltype(Functions::query) query_fn, decltype(Functions::free) free_fn,
                                         decltype(Functions::cancel) cancel_fn, const MPI_Aint* extra_state,
                                         int* request, int* ierror) {
  auto* const functions = new Functions{query_fn, free_fn, cancel_fn, *extra_state};
  const int code = ANTIPHON_CALL(MPI_Grequest_start)(query, end, cancel, functions, Out<MPI_Request>(request));
  if (code != MPI_SUCCESS) delete functions;
  give(ierror, code);
}

ANTIPHON_ALIAS(mpi_grequest_start_f08_, mpi_grequest_start_);

}  // extern "C"

}  // namespace antiphon::fortran
