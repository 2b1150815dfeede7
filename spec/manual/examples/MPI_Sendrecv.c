#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int next = (rank + 1) % size, previous = (rank + size - 1) % size, value;
  MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &value, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("%d comes after %d\n", rank, value);
  MPI_Finalize();
  return 0;
}
