#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* Every rank adds to a histogram at rank 0: additions to one place do not get lost. */
  int rank, one = 1, *histogram;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bins = 4;
  MPI_Win win;
  const MPI_Aint bytes = rank == 0 ? bins * (MPI_Aint)sizeof(int) : 0;
  MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &histogram, &win);
  for (int i = 0; rank == 0 && i < bins; ++i) histogram[i] = 0;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  for (int value = rank; value < 100; value += 3)
    MPI_Accumulate(&one, 1, MPI_INT, 0, value % bins, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  for (int i = 0; rank == 0 && i < bins; ++i) printf("%d values in bin %d\n", histogram[i], i);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
