#include <mpi.h>
#include <stdio.h>

/* What another language knows of MPI: integers. */
static int size_of(int communicator) {
  int size;
  MPI_Comm_size(MPI_Comm_fromint(communicator), &size);
  return size;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  printf("%d ranks\n", size_of(MPI_Comm_toint(MPI_COMM_WORLD)));
  MPI_Finalize();
  return 0;
}
