#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  /* Where in the whole does the part of this rank begin? */
  int mine = rank + 3, up_to_here;
  MPI_Scan(&mine, &up_to_here, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d: from %d on\n", rank, up_to_here - mine);
  MPI_Finalize();
  return 0;
}
