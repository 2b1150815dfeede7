#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  /* The even ranks and the odd ones, in the opposite order. */
  MPI_Comm half;
  int rank_in_half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_rank(half, &rank_in_half);
  printf("rank %d is rank %d of its half\n", rank, rank_in_half);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
