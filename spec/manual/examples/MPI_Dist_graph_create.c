#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* Rank 0 knows the whole graph, a star; the others learn who their neighbors are. */
  int rank, size, indegree, outdegree, weighted;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int center = 0, degree = size, leaves[64];
  for (int i = 0; i < size && i < 64; ++i) leaves[i] = i;
  MPI_Comm star;
  MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? 1 : 0, &center, &degree, leaves, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                        &star);
  MPI_Dist_graph_neighbors_count(star, &indegree, &outdegree, &weighted);
  int sources[64], destinations[64];
  MPI_Dist_graph_neighbors(star, indegree, sources, MPI_UNWEIGHTED, outdegree, destinations, MPI_UNWEIGHTED);
  printf("rank %d: %d edges come, the first from rank %d; %d go\n", rank, indegree, sources[0], outdegree);
  MPI_Comm_free(&star);
  MPI_Finalize();
  return 0;
}
