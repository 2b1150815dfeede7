#include "arguments.hpp"

namespace antiphon::fortran {

namespace {

struct Neighbors {
  int sources = 0;
  int destinations = 0;
};

Neighbors neighbors_of(MPI_Comm comm) {
  Neighbors known;
  int topology = MPI_UNDEFINED, rank = 0, weighted = 0;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    known.sources = known.destinations = 2 * dimensions_of(comm);
  } else if (topology == MPI_GRAPH) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &known.sources);
    known.destinations = known.sources;
  } else if (topology == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, &known.sources, &known.destinations, &weighted);
  }
  return known;
}

}  // namespace

int dimensions_of(MPI_Comm comm) {
  int topology = MPI_UNDEFINED, dimensions = 0;
  if (PMPI_Topo_test(comm, &topology) == MPI_SUCCESS && topology == MPI_CART) PMPI_Cartdim_get(comm, &dimensions);
  return dimensions;
}

int peers_of(MPI_Comm comm) {
  int is_inter = 0, size = 0;
  if (PMPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS) return 0;
  is_inter ? PMPI_Comm_remote_size(comm, &size) : PMPI_Comm_size(comm, &size);
  return size;
}

int sources_of(MPI_Comm comm) { return neighbors_of(comm).sources; }

int destinations_of(MPI_Comm comm) { return neighbors_of(comm).destinations; }

}  // namespace antiphon::fortran
