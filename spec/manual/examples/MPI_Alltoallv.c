#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* Each rank sends r + 1 numbers to rank r. First all tell each other how many will come. */
  int* sendcounts = malloc((size_t)size * sizeof(int));
  int* recvcounts = malloc((size_t)size * sizeof(int));
  int* sdispls = malloc((size_t)size * sizeof(int));
  int* rdispls = malloc((size_t)size * sizeof(int));
  for (int r = 0; r < size; ++r) sendcounts[r] = r + 1;
  MPI_Alltoall(sendcounts, 1, MPI_INT, recvcounts, 1, MPI_INT, MPI_COMM_WORLD);
  int sent = 0, received = 0;
  for (int r = 0; r < size; ++r) {
    sdispls[r] = sent, rdispls[r] = received;
    sent += sendcounts[r], received += recvcounts[r];
  }
  int* sendbuf = malloc((size_t)sent * sizeof(int));
  int* recvbuf = malloc((size_t)received * sizeof(int));
  for (int i = 0; i < sent; ++i) sendbuf[i] = rank;
  MPI_Alltoallv(sendbuf, sendcounts, sdispls, MPI_INT, recvbuf, recvcounts, rdispls, MPI_INT, MPI_COMM_WORLD);
  printf("rank %d received %d numbers, the last one from rank %d\n", rank, received, recvbuf[received - 1]);
  free(sendbuf), free(recvbuf), free(sendcounts), free(recvcounts), free(sdispls), free(rdispls);
  MPI_Finalize();
  return 0;
}
