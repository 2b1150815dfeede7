// Graph topologies known whole to everybody, and which topology there is: MPI 5.0, 8.5.3 and 8.5.5.
#include <algorithm>

#include "api/comms/topologies.hpp"
#include "api/handles.hpp"
#include "objects/group_operations.hpp"
#include "service/comm_create.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Graph;
using objects::Group;
using objects::Ref;
using objects::Topology;

namespace {

Graph checked_graph(int nnodes, const int indx[], const int edges[], const Comm& comm) {
  if (nnodes < 0 || nnodes > comm.size())
    base::fail(abi::ERR_ARG, fmt::format("nnodes={} is not valid: {} has {} processes (valid: 0 to {})", nnodes,
                                         comm.name(), comm.size(), comm.size()));
  check::array("indx", indx, "nnodes", nnodes, static_cast<std::size_t>(nnodes));
  for (int i = 0, last = 0; i < nnodes; last = indx[i++])
    if (indx[i] < last)
      base::fail(abi::ERR_ARG, fmt::format("indx[{}]={} is less than {}: the numbers of edges up to each node add up",
                                           i, indx[i], i == 0 ? "0" : "the one before"));
  const int total = nnodes == 0 ? 0 : indx[nnodes - 1];
  if (total > 0) check::not_null(edges, "edges");
  for (int i = 0; i < total; ++i)
    if (edges[i] < 0 || edges[i] >= nnodes)
      base::fail(abi::ERR_RANK, fmt::format("edges[{}]={} is not a node of the graph, which has {} (0 to {})", i,
                                            edges[i], nnodes, nnodes - 1));
  return {.index = {indx, indx + nnodes}, .edges = {edges, edges + total}};
}

}  // namespace

void graph_create(Process& process, Comm& comm_old, int nnodes, const int indx[], const int edges[], int,
                  MPI_Comm* comm_graph) {
  check::not_null(comm_graph, "comm_graph");
  *comm_graph = MPI_COMM_NULL;
  check::intracommunicator("comm_old", comm_old);
  Graph graph = checked_graph(nnodes, indx, edges, comm_old);
  const objects::RankRange first{.first = 0, .count = nnodes, .stride = 1};
  const Ref<Group> group = nnodes == comm_old.size() ? comm_old.group_ref()
                                                     : objects::group_include(comm_old.group(), std::span(&first, 1));
  *comm_graph = comm_handle(process, service::comm_of_members(process.toolbox(), comm_old, group, "graph",
                                                              Ref<Topology>::adopt(new Topology(std::move(graph)))));
}

void graphdims_get(Process&, Comm& comm, int* nnodes, int* nedges) {
  check::not_null(nnodes, "nnodes");
  check::not_null(nedges, "nedges");
  const Graph& graph = check::graph(comm);
  *nnodes = static_cast<int>(graph.index.size());
  *nedges = static_cast<int>(graph.edges.size());
}

void graph_get(Process&, Comm& comm, int maxindex, int maxedges, int indx[], int edges[]) {
  const Graph& graph = check::graph(comm);
  check::array("indx", indx, "maxindex", maxindex, graph.index.size());
  check::array("edges", edges, "maxedges", maxedges, graph.edges.size());
  std::ranges::copy(graph.index, indx);
  std::ranges::copy(graph.edges, edges);
}

void graph_neighbors_count(Process&, Comm& comm, int rank, int* nneighbors) {
  check::not_null(nneighbors, "nneighbors");
  const Graph& graph = check::graph(comm);
  check::member("rank", rank, comm);
  *nneighbors = graph.neighbors_end(rank) - graph.neighbors_begin(rank);
}

void graph_neighbors(Process&, Comm& comm, int rank, int maxneighbors, int neighbors[]) {
  const Graph& graph = check::graph(comm);
  check::member("rank", rank, comm);
  const int begin = graph.neighbors_begin(rank), end = graph.neighbors_end(rank);
  check::array("neighbors", neighbors, "maxneighbors", maxneighbors, static_cast<std::size_t>(end - begin));
  std::copy(graph.edges.begin() + begin, graph.edges.begin() + end, neighbors);
}

void graph_map(Process&, Comm& comm, int nnodes, const int indx[], const int edges[], int* newrank) {
  check::not_null(newrank, "newrank");
  (void)checked_graph(nnodes, indx, edges, comm);
  *newrank = comm.rank() < nnodes ? comm.rank() : abi::UNDEFINED;
}

void topo_test(Process&, Comm& comm, int* status) {
  check::not_null(status, "status");
  const Topology* topology = comm.topology();
  *status = !topology           ? abi::UNDEFINED
            : topology->cart()  ? abi::CART
            : topology->graph() ? abi::GRAPH
                                : abi::DIST_GRAPH;
}

}  // namespace antiphon::api
