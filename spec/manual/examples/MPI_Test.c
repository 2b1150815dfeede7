#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int peer = rank ^ 1, value = -1, done = 0;
  long looks = 0;
  if (peer < size) {
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    for (; !done; ++looks) MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* compute a little in between */
    printf("rank %d has %d\n", rank, value);
  }
  MPI_Finalize();
  return 0;
}
