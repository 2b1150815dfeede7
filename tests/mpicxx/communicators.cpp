// Communicators of every class, their constructors, and Dup and Clone that return the right one (MPI-2.2, 6.4 to 6.6,
// 7).
#include <typeinfo>
#include <vector>

#include "expect.hpp"

namespace {

template <class Class>
void expect_clone(const Class& comm) {
  Class dup = comm.Dup();
  EXPECT(MPI::Comm::Compare(comm, dup) == MPI::CONGRUENT);
  dup.Free();
  MPI::Comm& clone = comm.Clone();
  EXPECT(typeid(clone) == typeid(Class));
  EXPECT(MPI::Comm::Compare(comm, clone) == MPI::CONGRUENT);
  clone.Free();
  EXPECT(clone == MPI::COMM_NULL);
  delete &clone;
}

void communicators_are_duplicated_and_compared() {
  expect_clone(MPI::COMM_WORLD);
  EXPECT(MPI::Comm::Compare(MPI::COMM_WORLD, MPI::COMM_WORLD) == MPI::IDENT);
  EXPECT(!MPI::COMM_WORLD.Is_inter() && MPI::COMM_WORLD.Get_topology() == MPI::UNDEFINED);
}

void communicators_are_split_and_made_of_groups() {
  const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();
  MPI::Intracomm half = MPI::COMM_WORLD.Split(rank % 2, -rank);
  EXPECT(half.Get_size() == (size + 1 - rank % 2) / 2);
  EXPECT(half.Get_rank() == half.Get_size() - 1 - rank / 2);
  half.Free();
  MPI::Intracomm none = MPI::COMM_WORLD.Split(MPI::UNDEFINED, 0);
  EXPECT(none == MPI::COMM_NULL);

  MPI::Group world = MPI::COMM_WORLD.Get_group();
  const int first[] = {0};
  MPI::Group one = world.Incl(1, first);
  MPI::Intracomm alone = MPI::COMM_WORLD.Create(one);
  EXPECT((alone != MPI::COMM_NULL) == (rank == 0));
  if (alone != MPI::COMM_NULL) alone.Free();
  one.Free();
  world.Free();
}

void groups_are_combined() {
  MPI::Group world = MPI::COMM_WORLD.Get_group();
  const int size = world.Get_size();
  const int range[][3] = {{0, size - 1, 2}};
  MPI::Group even = world.Range_incl(1, range), odd = world.Range_excl(1, range);
  EXPECT(even.Get_size() == (size + 1) / 2 && odd.Get_size() == size / 2);
  MPI::Group both = MPI::Group::Union(even, odd);
  EXPECT(MPI::Group::Compare(both, world) == (size < 3 ? MPI::IDENT : MPI::SIMILAR));
  MPI::Group none = MPI::Group::Intersect(even, odd);
  EXPECT(none == MPI::GROUP_EMPTY || none.Get_size() == 0);
  MPI::Group rest = MPI::Group::Difference(world, odd);
  EXPECT(MPI::Group::Compare(rest, even) == MPI::IDENT);
  const int ranks[] = {0};
  int there[] = {-5};
  MPI::Group::Translate_ranks(even, 1, ranks, world, there);
  EXPECT(there[0] == 0);
  MPI::Group::Translate_ranks(even, 1, ranks, odd, there);
  EXPECT(there[0] == MPI::UNDEFINED);
  for (MPI::Group* group : {&even, &odd, &both, &rest, &world}) group->Free();
}

void intercommunicators_join_two_groups() {
  const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();
  if (size < 2) return;
  const int side = rank % 2;
  MPI::Intracomm local = MPI::COMM_WORLD.Split(side, rank);
  MPI::Intercomm inter = local.Create_intercomm(0, MPI::COMM_WORLD, 1 - side, 5);
  EXPECT(inter.Is_inter() && inter.Get_remote_size() == size - local.Get_size());
  MPI::Group remote = inter.Get_remote_group();
  EXPECT(remote.Get_size() == inter.Get_remote_size());
  remote.Free();
  expect_clone(inter);
  int sent = rank, received = -1;
  inter.Sendrecv(&sent, 1, MPI::INT, inter.Get_rank() == 0 ? 0 : MPI::PROC_NULL, 0, &received, 1, MPI::INT,
                 inter.Get_rank() == 0 ? 0 : MPI::PROC_NULL, 0);
  EXPECT(inter.Get_rank() != 0 || received == 1 - side);
  int sum = 0;
  inter.Allreduce(&sent, &sum, 1, MPI::INT, MPI::SUM);
  int expected = 0;
  for (int other = 1 - side; other < size; other += 2) expected += other;
  EXPECT(sum == expected);
  MPI::Intracomm merged = inter.Merge(side == 1);
  EXPECT(merged.Get_size() == size && (merged.Get_rank() < (size + 1) / 2) == (side == 0));
  merged.Free();
  MPI::Intercomm part = inter.Split(0, 0);
  EXPECT(part.Get_remote_size() == inter.Get_remote_size());
  part.Free();
  inter.Free();
  local.Free();
}

void grids_know_their_neighbours() {
  const int size = MPI::COMM_WORLD.Get_size(), rank = MPI::COMM_WORLD.Get_rank();
  const int dims[] = {size, 1};
  const bool periods[] = {true, false};
  MPI::Cartcomm cart = MPI::COMM_WORLD.Create_cart(2, dims, periods, false);
  EXPECT(cart.Get_topology() == MPI::CART && cart.Get_dim() == 2);
  int found_dims[2], coords[2];
  bool found_periods[2];
  cart.Get_topo(2, found_dims, found_periods, coords);
  EXPECT(found_dims[0] == size && found_periods[0] && !found_periods[1] && coords[0] == rank && coords[1] == 0);
  EXPECT(cart.Get_cart_rank(coords) == rank);
  cart.Get_coords(size - 1, 2, coords);
  EXPECT(coords[0] == size - 1);
  int source = -1, dest = -1;
  cart.Shift(0, 1, source, dest);
  EXPECT(source == (rank + size - 1) % size && dest == (rank + 1) % size);
  cart.Shift(1, 1, source, dest);
  EXPECT(source == MPI::PROC_NULL && dest == MPI::PROC_NULL);
  const bool remain[] = {false, true};
  MPI::Cartcomm column = cart.Sub(remain);
  EXPECT(column.Get_size() == 1 && column.Get_dim() == 1);
  column.Free();
  EXPECT(cart.Map(2, dims, periods) == rank);
  expect_clone(cart);
  EXPECT_THROWS(MPI::ERR_COUNT, "ndims=-1", MPI::COMM_WORLD.Create_cart(-1, dims, periods, false));
  cart.Free();
}

void graphs_know_their_neighbours() {
  const int size = MPI::COMM_WORLD.Get_size(), rank = MPI::COMM_WORLD.Get_rank();
  std::vector<int> index, edges;  // a ring
  for (int node = 0; node < size; ++node) {
    edges.push_back((node + 1) % size);
    index.push_back(node + 1);
  }
  MPI::Graphcomm graph = MPI::COMM_WORLD.Create_graph(size, index.data(), edges.data(), false);
  int nodes = 0, all_edges = 0, neighbor = -1;
  graph.Get_dims(&nodes, &all_edges);
  EXPECT(nodes == size && all_edges == size && graph.Get_neighbors_count(rank) == 1);
  graph.Get_neighbors(rank, 1, &neighbor);
  EXPECT(neighbor == (rank + 1) % size);
  expect_clone(graph);
  graph.Free();

  const int sources[] = {(rank + size - 1) % size}, destinations[] = {(rank + 1) % size}, weights[] = {rank};
  MPI::Distgraphcomm ring =
      MPI::COMM_WORLD.Dist_graph_create_adjacent(1, sources, 1, destinations, MPI::INFO_NULL, false);
  int in = 0, out = 0;
  bool weighted = true;
  ring.Get_dist_neighbors_count(in, out, weighted);
  EXPECT(in == 1 && out == 1 && !weighted);
  expect_clone(ring);
  ring.Free();

  const int node[] = {rank}, degree[] = {1};
  ring = MPI::COMM_WORLD.Dist_graph_create(1, node, degree, destinations, weights, MPI::INFO_NULL, false);
  ring.Get_dist_neighbors_count(in, out, weighted);
  int found_source = -1, found_weight = -1, found_destination = -1, found_out = -1;
  ring.Get_dist_neighbors(1, &found_source, &found_weight, 1, &found_destination, &found_out);
  EXPECT(weighted && found_source == sources[0] && found_weight == sources[0]);
  EXPECT(found_destination == destinations[0] && found_out == rank);
  ring.Free();
}

void null_communicators_are_all_alike() {
  MPI::Intracomm intra;
  MPI::Intercomm inter = MPI::COMM_NULL;
  MPI::Cartcomm cart(MPI::COMM_NULL);
  EXPECT(intra == MPI::COMM_NULL && inter == MPI::COMM_NULL && cart == intra && intra == MPI_COMM_NULL);
  intra = MPI::COMM_WORLD;
  EXPECT(intra == MPI::COMM_WORLD && intra != MPI::COMM_SELF && intra == MPI_COMM_WORLD && MPI_COMM_SELF != intra);
  MPI::Comm& clone = MPI::COMM_NULL.Clone();
  EXPECT(clone == MPI::COMM_NULL);
  delete &clone;
  EXPECT_THROWS(MPI::ERR_COMM, "MPI_COMM_NULL", inter.Get_size());
}

void names_are_kept() {
  MPI::Intracomm dup = MPI::COMM_WORLD.Dup();
  dup.Set_name("of my own");
  char name[MPI::MAX_OBJECT_NAME];
  int length = 0;
  dup.Get_name(name, length);
  EXPECT(std::strcmp(name, "of my own") == 0 && length == 9);
  dup.Free();
}

}  // namespace

int main() {
  return run(communicators_are_duplicated_and_compared, communicators_are_split_and_made_of_groups,
             groups_are_combined, intercommunicators_join_two_groups, grids_know_their_neighbours,
             graphs_know_their_neighbours, null_communicators_are_all_alike, names_are_kept);
}
