#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    /* Whatever comes, in whatever order. */
    for (int i = 1; i < size; ++i) {
      double value;
      MPI_Status status;
      MPI_Recv(&value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      printf("%g from rank %d\n", value, status.MPI_SOURCE);
    }
  } else {
    double value = 0.5 * rank;
    MPI_Send(&value, 1, MPI_DOUBLE, 0, rank, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
