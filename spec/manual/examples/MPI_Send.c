#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* From each rank to the next, growing on the way. */
  if (rank > 0) MPI_Recv(&sum, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  sum += rank;
  if (rank + 1 < size)
    MPI_Send(&sum, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
  else
    printf("%d\n", sum);
  MPI_Finalize();
  return 0;
}
