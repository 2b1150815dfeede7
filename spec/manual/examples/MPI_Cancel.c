#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A server posts a receive for the next request. In the end there is none, and the receive is taken back. */
  int order, cancelled;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&order, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  printf("%s\n", cancelled ? "nothing came" : "a message came in between");
  MPI_Finalize();
  return 0;
}
