#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine = 10 * rank, *all = malloc((size_t)size * sizeof *all);
  MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  printf("rank %d knows that the last has %d\n", rank, all[size - 1]);
  free(all);
  MPI_Finalize();
  return 0;
}
