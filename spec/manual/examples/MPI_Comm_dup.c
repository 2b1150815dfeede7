#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A library's own communicator: its messages never meet those of its user. */
  MPI_Comm own;
  int everybody;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Allreduce(&(int){1}, &everybody, 1, MPI_INT, MPI_SUM, own);
  printf("%d\n", everybody);
  MPI_Comm_free(&own);
  MPI_Finalize();
  return 0;
}
