// Neighbourhood collectives, on grids, graphs and distributed graphs: MPI 5.0, 8.6 to 8.9. Neighbours may be several
// times the same process, or the process itself; in a grid that does not wrap some are nobody. All three forms of
// each.
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

using Numbers = std::vector<int>;

constexpr int kUntouched = -7;

std::size_t at(int i) { return static_cast<std::size_t>(i); }
int number_of(const Numbers& neighbors) { return static_cast<int>(neighbors.size()); }

// An edge of the topology, as both of its ends know it: between two processes there may be several.
struct Edge {
  int from, to;
  int nth;  // of those from one to the other; on a grid, the dimension and the direction
};

// A communicator with a topology, and what each of this process's edges must bring.
struct Place {
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<Edge> out, in;  // from nobody and to nobody: MPI_PROC_NULL
};

// Values that tell one edge from another.
int value(const Edge& edge, int i) { return edge.from * 100'000 + edge.to * 1'000 + edge.nth * 100 + i % 97; }
// Every edge has its own length, which both ends know.
int length(const Edge& edge) {
  return edge.from == MPI_PROC_NULL || edge.to == MPI_PROC_NULL ? 3 : (edge.from + 2 * edge.to + edge.nth) % 4;
}
bool leads_nowhere(const Edge& edge) { return edge.from == MPI_PROC_NULL || edge.to == MPI_PROC_NULL; }

Place on_grid(const Numbers& dims, bool periodic) {
  Place place;
  const int dimensions = number_of(dims);
  const Numbers periods(dims.size(), periodic ? 1 : 0);
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims.data(), periods.data(), 0, &place.comm);
  if (place.comm == MPI_COMM_NULL) return place;
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
    MPI_Cart_shift(place.comm, dimension, 1, &below, &above);
    const int down = 2 * dimension, up = down + 1;
    place.out.push_back({rank(), below, down});
    place.out.push_back({rank(), above, up});
    place.in.push_back({below, rank(), up});
    place.in.push_back({above, rank(), down});
  }
  return place;
}

// From each process to the next, twice to the one after that, and to itself.
Numbers targets(int from) { return {(from + 1) % size(), (from + 2) % size(), (from + 2) % size(), from}; }

std::vector<Edge> numbered(std::vector<Edge> edges) {
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t before = 0; before < i; ++before)
      if (edges[before].from == edges[i].from && edges[before].to == edges[i].to) ++edges[i].nth;
  return edges;
}

Place on_distributed_graph() {
  Place place;
  Numbers sources;
  for (int from = 0; from < size(); ++from)
    for (const int to : targets(from))
      if (to == rank()) sources.push_back(from);
  const Numbers destinations = targets(rank());
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, number_of(sources), sources.data(), MPI_UNWEIGHTED,
                                 number_of(destinations), destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &place.comm);
  for (const int from : sources) place.in.push_back({from, rank(), 0});
  for (const int to : destinations) place.out.push_back({rank(), to, 0});
  place.in = numbered(place.in);
  place.out = numbered(place.out);
  return place;
}

// A star around rank 0, which is its own neighbour too.
Place on_graph() {
  Place place;
  Numbers index, edges{0};
  for (int other = 1; other < size(); ++other) edges.push_back(other);
  index.push_back(number_of(edges));
  for (int other = 1; other < size(); ++other) {
    edges.push_back(0);
    index.push_back(number_of(edges));
  }
  MPI_Graph_create(MPI_COMM_WORLD, size(), index.data(), edges.data(), 0, &place.comm);
  const int begin = rank() == 0 ? 0 : index[at(rank() - 1)], end = index[at(rank())];
  for (int i = begin; i < end; ++i) {
    place.in.push_back({edges[at(i)], rank(), 0});
    place.out.push_back({rank(), edges[at(i)], 0});
  }
  return place;
}

// Blocks for edges, two elements apart, of lengths that differ or are one.
struct Blocks {
  const std::vector<Edge>& edges;
  Numbers counts, displacements, numbers;
  std::vector<MPI_Aint> bytes;
  std::vector<MPI_Datatype> types;

  template <class CountOf>
  Blocks(const std::vector<Edge>& of, int apart, CountOf count_of) : edges(of), types(of.size(), MPI_INT) {
    int end = 0;
    for (const Edge& edge : edges) {
      counts.push_back(count_of(edge));
      displacements.push_back(end);
      bytes.push_back(static_cast<MPI_Aint>(sizeof(int)) * end);
      end += counts.back() + apart;
    }
    numbers.assign(at(end), kUntouched);
  }
  template <class Value>
  void fill(Value value_of) {
    for (std::size_t edge = 0; edge < edges.size(); ++edge)
      for (int i = 0; i < counts[edge]; ++i)
        if (!leads_nowhere(edges[edge])) numbers[at(displacements[edge] + i)] = value_of(edges[edge], i);
  }
};

// Carries out one operation in its three forms. What arrives must be `wanted`.
template <class Now, class Nonblocking, class Persistent, class... Arguments>
void in_all_forms(const Place& place, Numbers& got, const Numbers& wanted, const std::string& name, Now now,
                  Nonblocking nonblocking, Persistent persistent, Arguments... arguments) {
  const auto expect_arrived = [&](const char* form) {
    expect(got == wanted, std::string(form) + " " + name + " is wrong");
    got.assign(got.size(), kUntouched);
  };
  expect_error(now(arguments..., place.comm), MPI_SUCCESS, name);
  expect_arrived("blocking");
  MPI_Request request = MPI_REQUEST_NULL;
  expect_error(nonblocking(arguments..., place.comm, &request), MPI_SUCCESS, name);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_arrived("nonblocking");
  expect_error(persistent(arguments..., place.comm, MPI_INFO_NULL, &request), MPI_SUCCESS, name);
  for (int time = 0; time < 2; ++time) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_arrived("persistent");
  }
  MPI_Request_free(&request);
}

// What a process says to all of its neighbours.
int value_for_all(const Edge& edge, int i) { return value({edge.from, 0, 0}, i); }

void exchange_everything(Place place) {
  if (place.comm == MPI_COMM_NULL) return;
  for (const int count : {0, 1, 40, 3'000}) {
    const auto same = [count](const Edge&) { return count; };
    Blocks out(place.out, 0, same), in(place.in, 0, same);
    Numbers got(in.numbers.size(), kUntouched), mine(at(count));
    for (int i = 0; i < count; ++i) mine[at(i)] = value_for_all({rank(), 0, 0}, i);
    in.fill(value_for_all);
    in_all_forms(place, got, in.numbers, "neighbor_allgather", MPI_Neighbor_allgather, MPI_Ineighbor_allgather,
                 MPI_Neighbor_allgather_init, mine.data(), count, MPI_INT, got.data(), count, MPI_INT);
    out.fill(value);
    in.fill(value);
    in_all_forms(place, got, in.numbers, "neighbor_alltoall", MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall,
                 MPI_Neighbor_alltoall_init, out.numbers.data(), count, MPI_INT, got.data(), count, MPI_INT);
  }
  // Everybody's own length for all, then one for each edge.
  const auto of_sender = [](const Edge& edge) { return leads_nowhere(edge) ? 3 : edge.from % 4; };
  Blocks from_senders(place.in, 2, of_sender);
  Numbers mine(at(rank() % 4)), got(from_senders.numbers.size(), kUntouched);
  for (int i = 0; i < rank() % 4; ++i) mine[at(i)] = value_for_all({rank(), 0, 0}, i);
  from_senders.fill(value_for_all);
  in_all_forms(place, got, from_senders.numbers, "neighbor_allgatherv", MPI_Neighbor_allgatherv,
               MPI_Ineighbor_allgatherv, MPI_Neighbor_allgatherv_init, mine.data(), rank() % 4, MPI_INT, got.data(),
               from_senders.counts.data(), from_senders.displacements.data(), MPI_INT);
  Blocks out(place.out, 2, length), in(place.in, 2, length);
  out.fill(value);
  in.fill(value);
  got.assign(in.numbers.size(), kUntouched);
  in_all_forms(place, got, in.numbers, "neighbor_alltoallv", MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv,
               MPI_Neighbor_alltoallv_init, out.numbers.data(), out.counts.data(), out.displacements.data(), MPI_INT,
               got.data(), in.counts.data(), in.displacements.data(), MPI_INT);
  in_all_forms(place, got, in.numbers, "neighbor_alltoallw", MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw,
               MPI_Neighbor_alltoallw_init, out.numbers.data(), out.counts.data(), out.bytes.data(), out.types.data(),
               got.data(), in.counts.data(), in.bytes.data(), in.types.data());
  MPI_Comm_free(&place.comm);
}

void around_a_ring() { exchange_everything(on_grid({size()}, true)); }
void along_a_line() { exchange_everything(on_grid({size()}, false)); }
void in_two_rows_that_wrap() {
  if (size() > 1) exchange_everything(on_grid({2, size() / 2}, true));
}
void in_a_grid_with_nobody_to_the_sides() { exchange_everything(on_grid({1, size(), 1}, true)); }
void without_dimensions() { exchange_everything(on_grid({}, true)); }
void along_edges_that_repeat() { exchange_everything(on_distributed_graph()); }
void in_a_star() { exchange_everything(on_graph()); }

void without_a_topology_there_are_no_neighbors() {
  int nothing = 0;
  expect_error(MPI_Neighbor_allgather(&nothing, 1, MPI_INT, &nothing, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_TOPOLOGY,
               "MPI_Neighbor_allgather in MPI_COMM_WORLD");
}

}  // namespace

int main() {
  return run({
      {"around a ring", around_a_ring},
      {"along a line", along_a_line},
      {"in two rows that wrap", in_two_rows_that_wrap},
      {"in a grid with nobody to the sides", in_a_grid_with_nobody_to_the_sides},
      {"without dimensions", without_dimensions},
      {"along edges that repeat", along_edges_that_repeat},
      {"in a star", in_a_star},
      {"without a topology there are no neighbours", without_a_topology_there_are_no_neighbors},
  });
}
