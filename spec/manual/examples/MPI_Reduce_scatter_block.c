#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, sum;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* Element r of the vectors of all ranks is summed up at rank r. */
  int* values = malloc((size_t)size * sizeof(int));
  for (int r = 0; r < size; ++r) values[r] = 10 * r + rank;
  MPI_Reduce_scatter_block(values, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d has %d\n", rank, sum);
  free(values);
  MPI_Finalize();
  return 0;
}
