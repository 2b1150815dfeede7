// Distributed graph topologies: MPI 5.0, 8.5.4 and 8.5.5. Ranks are not moved, so `reorder` and hints change nothing.
#include <algorithm>

#include "api/comms/topologies.hpp"
#include "api/handles.hpp"
#include "service/comm_create.hpp"
#include "service/dist_graph.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::DistGraph;
using objects::Info;
using objects::Ref;
using objects::Topology;

namespace {

void check_neighbors(const char* argument, int count, const char* count_name, const int ranks[], const Comm& comm) {
  check::array(argument, ranks, count_name, count, static_cast<std::size_t>(std::max(count, 0)));
  for (int i = 0; i < count; ++i)
    if (ranks[i] < 0 || ranks[i] >= comm.size())
      base::fail(abi::ERR_RANK, fmt::format("{}[{}]={} is not a rank of {}, which has {} (0 to {})", argument, i,
                                            ranks[i], comm.name(), comm.size(), comm.size() - 1));
}

bool is_unweighted(const int weights[]) { return weights == MPI_UNWEIGHTED; }

std::vector<int> checked_weights(const char* argument, int count, const int weights[]) {
  if (is_unweighted(weights) || count == 0) return {};
  if (!is_address(weights))
    base::fail(abi::ERR_ARG,
               fmt::format("{} is {}, but there are {} edges: pass that many weights, or MPI_UNWEIGHTED", argument,
                           weights == MPI_WEIGHTS_EMPTY ? "MPI_WEIGHTS_EMPTY" : check::shown(weights), count));
  for (int i = 0; i < count; ++i)
    if (weights[i] < 0)
      base::fail(abi::ERR_ARG, fmt::format("{}[{}]={} is negative: a weight is 0 or more", argument, i, weights[i]));
  return {weights, weights + count};
}

MPI_Comm make(Process& process, Comm& comm, DistGraph graph) {
  return comm_handle(process, service::comm_of_members(process.toolbox(), comm, comm.group_ref(), "graph",
                                                       Ref<Topology>::adopt(new Topology(std::move(graph)))));
}

void copy_some(const std::vector<int>& from, int at_most, int to[]) {
  std::copy_n(from.begin(), std::min(from.size(), static_cast<std::size_t>(at_most)), to);
}

void copy_weights(const char* argument, const std::vector<int>& from, int at_most, int to[]) {
  if (!is_address(to) && at_most > 0 && !from.empty())
    base::fail(abi::ERR_ARG,
               fmt::format("{} is {}: pass the address of an array for {} weights, or MPI_UNWEIGHTED", argument,
                           check::shown(to), std::min(from.size(), static_cast<std::size_t>(at_most))));
  copy_some(from, at_most, to);
}

}  // namespace

void dist_graph_create_adjacent(Process& process, Comm& comm_old, int indegree, const int sources[],
                                const int sourceweights[], int outdegree, const int destinations[],
                                const int destweights[], const Info*, int, MPI_Comm* comm_dist_graph) {
  check::not_null(comm_dist_graph, "comm_dist_graph");
  *comm_dist_graph = MPI_COMM_NULL;
  check::intracommunicator("comm_old", comm_old);
  check_neighbors("sources", indegree, "indegree", sources, comm_old);
  check_neighbors("destinations", outdegree, "outdegree", destinations, comm_old);
  if (is_unweighted(sourceweights) != is_unweighted(destweights))
    base::fail(abi::ERR_ARG,
               "one of sourceweights and destweights is MPI_UNWEIGHTED: pass it for both or for neither");
  *comm_dist_graph = make(process, comm_old,
                          {.sources = {sources, sources + indegree},
                           .source_weights = checked_weights("sourceweights", indegree, sourceweights),
                           .destinations = {destinations, destinations + outdegree},
                           .destination_weights = checked_weights("destweights", outdegree, destweights),
                           .weighted = !is_unweighted(sourceweights)});
}

void dist_graph_create(Process& process, Comm& comm_old, int n, const int sources[], const int degrees[],
                       const int destinations[], const int weights[], const Info*, int, MPI_Comm* comm_dist_graph) {
  check::not_null(comm_dist_graph, "comm_dist_graph");
  *comm_dist_graph = MPI_COMM_NULL;
  check::intracommunicator("comm_old", comm_old);
  check_neighbors("sources", n, "n", sources, comm_old);
  check::array("degrees", degrees, "n", n, static_cast<std::size_t>(n));
  int total = 0;
  for (int i = 0; i < n; ++i)
    if (degrees[i] < 0 || __builtin_add_overflow(total, degrees[i], &total))
      base::fail(abi::ERR_ARG, fmt::format("degrees[{}]={} is {}", i, degrees[i],
                                           degrees[i] < 0 ? "negative: a number of edges is 0 or more"
                                                          : "one edge too many: all together fit into an int"));
  check_neighbors("destinations", total, "the sum of degrees", destinations, comm_old);
  const std::vector<int> checked = checked_weights("weights", total, weights);

  std::vector<service::Edge> edges;
  for (int i = 0, edge = 0; i < n; ++i)
    for (int k = 0; k < degrees[i]; ++k, ++edge)
      edges.push_back({.source = sources[i],
                       .destination = destinations[edge],
                       .weight = checked.empty() ? 0 : checked[static_cast<std::size_t>(edge)]});
  *comm_dist_graph =
      make(process, comm_old, service::distribute_edges(process.toolbox(), comm_old, edges, !is_unweighted(weights)));
}

void dist_graph_neighbors_count(Process&, Comm& comm, int* indegree, int* outdegree, int* weighted) {
  check::not_null(indegree, "indegree");
  check::not_null(outdegree, "outdegree");
  check::not_null(weighted, "weighted");
  const DistGraph& graph = check::dist_graph(comm);
  *indegree = static_cast<int>(graph.sources.size());
  *outdegree = static_cast<int>(graph.destinations.size());
  *weighted = graph.weighted ? 1 : 0;
}

// Where there is room for fewer, the first of them (MPI 5.0, 8.5.5).
void dist_graph_neighbors(Process&, Comm& comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree,
                          int destinations[], int destweights[]) {
  const DistGraph& graph = check::dist_graph(comm);
  check::array("sources", sources, "maxindegree", maxindegree, 0);
  check::array("destinations", destinations, "maxoutdegree", maxoutdegree, 0);
  if (maxindegree > 0 && !graph.sources.empty()) check::not_null(sources, "sources");
  if (maxoutdegree > 0 && !graph.destinations.empty()) check::not_null(destinations, "destinations");
  copy_some(graph.sources, maxindegree, sources);
  copy_some(graph.destinations, maxoutdegree, destinations);
  if (!graph.weighted) return;
  if (!is_unweighted(sourceweights)) copy_weights("sourceweights", graph.source_weights, maxindegree, sourceweights);
  if (!is_unweighted(destweights)) copy_weights("destweights", graph.destination_weights, maxoutdegree, destweights);
}

}  // namespace antiphon::api
