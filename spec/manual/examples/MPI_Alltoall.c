#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* Transposes a matrix of which each process has a row. */
  int* row = malloc((size_t)size * sizeof *row);
  int* column = malloc((size_t)size * sizeof *column);
  for (int i = 0; i < size; ++i) row[i] = 10 * rank + i;
  MPI_Alltoall(row, 1, MPI_INT, column, 1, MPI_INT, MPI_COMM_WORLD);
  printf("rank %d: %d to %d\n", rank, column[0], column[size - 1]);
  free(row), free(column);
  MPI_Finalize();
  return 0;
}
