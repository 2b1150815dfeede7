#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* The even ranks and the odd ones. */
  if (size > 1) {
    MPI_Comm half, both;
    int others;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    MPI_Comm_remote_size(both, &others);
    printf("rank %d sees %d on the other side\n", rank, others);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
  }
  MPI_Finalize();
  return 0;
}
