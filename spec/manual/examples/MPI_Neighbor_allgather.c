#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A directed ring: an edge comes from the rank before, and one goes to the rank behind. */
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int before = (rank + size - 1) % size, behind = (rank + 1) % size, received;
  MPI_Comm ring;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &behind, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &ring);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, &received, 1, MPI_INT, ring);
  printf("rank %d has %d from its neighbor\n", rank, received);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
