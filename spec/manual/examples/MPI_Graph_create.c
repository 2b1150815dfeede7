#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A chain of three nodes: 0 - 1 - 2. Node 0 has one neighbor, node 1 two, node 2 one. */
  int index[3] = {1, 3, 4}, edges[4] = {1, 0, 2, 1}, rank, size, count, neighbors[2];
  MPI_Comm chain;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size >= 3) {
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &chain);
    if (chain != MPI_COMM_NULL) { /* as ranks beyond 2 get */
      MPI_Comm_rank(chain, &rank);
      MPI_Graph_neighbors_count(chain, rank, &count);
      MPI_Graph_neighbors(chain, rank, 2, neighbors);
      printf("rank %d has %d neighbors, the first is %d\n", rank, count, neighbors[0]);
      MPI_Comm_free(&chain);
    }
  }
  MPI_Finalize();
  return 0;
}
