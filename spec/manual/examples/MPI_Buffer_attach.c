#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, bytes;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* Room for one message of 1,000 ints. */
  int* values = calloc(1000, sizeof(int));
  MPI_Pack_size(1000, MPI_INT, MPI_COMM_WORLD, &bytes);
  bytes += MPI_BSEND_OVERHEAD;
  void* buffer = malloc((size_t)bytes);
  MPI_Buffer_attach(buffer, bytes);
  /* Everybody sends first. With MPI_Bsend nobody waits for a receiver. */
  MPI_Bsend(values, 1000, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Recv(values, 1000, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&buffer, &bytes); /* waits until the message has been sent */
  printf("rank %d has its buffer of %d bytes back\n", rank, bytes);
  free(buffer), free(values);
  MPI_Finalize();
  return 0;
}
