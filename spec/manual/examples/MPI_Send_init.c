#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int next = (rank + 1) % size, previous = (rank + size - 1) % size, out, in;
  MPI_Request requests[2];
  MPI_Send_init(&out, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&in, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, &requests[1]);
  for (int step = 0; step < 3; ++step) {
    out = 100 * rank + step;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    printf("step %d: %d\n", step, in);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Finalize();
  return 0;
}
