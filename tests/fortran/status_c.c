#include <mpi.h>

/* A status goes to C and comes back. */
int c_status_(MPI_Fint* f_status, int* source) {
  MPI_Status c_status;
  MPI_F08_status f08_status;
  MPI_Status_f2c(f_status, &c_status);
  if (c_status.MPI_SOURCE != *source) return 1;
  c_status.MPI_TAG = 99;
  MPI_Status_c2f08(&c_status, &f08_status);
  return MPI_Status_f082f(&f08_status, f_status);
}
