#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A chain: each rank sends the values at its two ends to its two neighbors, and receives theirs. */
  int size, rank, periodic = 0;
  MPI_Comm chain;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &chain);
  MPI_Comm_rank(chain, &rank);
  double ends[2] = {rank - 0.1, rank + 0.1}, halo[2] = {-1, -1};
  MPI_Neighbor_alltoall(ends, 1, MPI_DOUBLE, halo, 1, MPI_DOUBLE, chain);
  printf("rank %d: %g to the left, %g to the right (-1 beyond the ends of the chain)\n", rank, halo[0], halo[1]);
  MPI_Comm_free(&chain);
  MPI_Finalize();
  return 0;
}
