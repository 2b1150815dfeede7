#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* Rank r has r + 1 numbers. */
  int mine = rank + 1, total = size * (size + 1) / 2;
  int* values = malloc((size_t)mine * sizeof *values);
  int* all = malloc((size_t)total * sizeof *all);
  int* counts = malloc((size_t)size * sizeof *counts);
  int* places = malloc((size_t)size * sizeof *places);
  for (int i = 0; i < mine; ++i) values[i] = rank;
  for (int i = 0; i < size; ++i) {
    counts[i] = i + 1;
    places[i] = i * (i + 1) / 2;
  }
  MPI_Gatherv(values, mine, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < total; ++i) printf("%d\n", all[i]);
  free(values), free(all), free(counts), free(places);
  MPI_Finalize();
  return 0;
}
