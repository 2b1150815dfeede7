#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Pcontrol(0); /* reading input is not of interest */
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(1); /* from here on a tool measures, if there is one */
  MPI_Barrier(MPI_COMM_WORLD);
  printf("done\n");
  MPI_Finalize();
  return 0;
}
