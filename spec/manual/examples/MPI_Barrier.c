#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD); /* so that all begin together */
  double begin = MPI_Wtime();
  double sum = 0;
  for (int i = 0; i < 1000000 * (rank + 1); ++i) sum += 1.0 / (i + 1);
  printf("rank %d: %g in %g s\n", rank, sum, MPI_Wtime() - begin);
  MPI_Finalize();
  return 0;
}
