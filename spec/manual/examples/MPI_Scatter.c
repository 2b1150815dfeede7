#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine, *all = NULL;
  if (rank == 0) {
    all = malloc((size_t)size * sizeof *all);
    for (int i = 0; i < size; ++i) all[i] = 10 * i;
  }
  MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  printf("rank %d has %d\n", rank, mine);
  free(all);
  MPI_Finalize();
  return 0;
}
