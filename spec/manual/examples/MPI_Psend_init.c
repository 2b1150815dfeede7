#include <mpi.h>
#include <stdio.h>

enum { kPartitions = 4, kElements = 100 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double sent[kPartitions][kElements], received[kPartitions][kElements];
  MPI_Request requests[2];
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  const MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Psend_init(sent, kPartitions, kElements, MPI_DOUBLE, next, 0, comm, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(received, kPartitions, kElements, MPI_DOUBLE, previous, 0, comm, MPI_INFO_NULL, &requests[1]);
  MPI_Startall(2, requests);
  for (int p = 0; p < kPartitions; ++p) { /* threads would fill a partition each */
    for (int i = 0; i < kElements; ++i) sent[p][i] = rank;
    MPI_Pready(p, requests[0]);
  }
  int arrived = 0;
  while (!arrived) MPI_Parrived(requests[1], 0, &arrived);
  printf("rank %d has the first partition, from rank %g\n", rank, received[0][0]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Finalize();
  return 0;
}
