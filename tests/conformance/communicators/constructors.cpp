// Communicators from communicators: what their members, handlers and hints are, and that their messages stay apart.
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 5;

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}
int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
int comparison(MPI_Comm first, MPI_Comm second) {
  int result = 0;
  MPI_Comm_compare(first, second, &result);
  return result;
}
// Everybody's rank in MPI_COMM_WORLD, by rank in `comm`.
std::vector<int> members(MPI_Comm comm) {
  std::vector<int> all(static_cast<std::size_t>(size_of(comm)));
  const int mine = rank();
  MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, comm);
  return all;
}
MPI_Group world_group() {
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  return group;
}

void duplicates() {
  MPI_Comm dup;
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  expect_equal(comparison(MPI_COMM_WORLD, dup), MPI_CONGRUENT, "the comparison");
  expect_equal(comparison(dup, dup), MPI_IDENT, "the comparison with itself");
  // The same envelope on both: each message must stay in its own.
  const int to = (rank() + 1) % size(), from = (rank() + size() - 1) % size();
  int in_world = 0, in_dup = 0;
  const int out_world = 1, out_dup = 2;
  MPI_Request requests[4];
  MPI_Irecv(&in_dup, 1, MPI_INT, from, kTag, dup, &requests[0]);
  MPI_Irecv(&in_world, 1, MPI_INT, from, kTag, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&out_world, 1, MPI_INT, to, kTag, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&out_dup, 1, MPI_INT, to, kTag, dup, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  expect_equal(in_world, 1, "the message in MPI_COMM_WORLD");
  expect_equal(in_dup, 2, "the message in the duplicate");
  MPI_Comm_free(&dup);
  expect(dup == MPI_COMM_NULL, "the freed handle is not MPI_COMM_NULL");
}

void inherits_handlers_but_no_hints() {
  MPI_Comm with, without;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
  MPI_Info_set(info, "mpi_assert_exact_length", "perhaps");
  MPI_Info_set(info, "unknown", "true");
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &with);
  MPI_Comm_dup(with, &without);
  const auto hints = [](MPI_Comm comm) {
    MPI_Info used;
    int keys = 0;
    MPI_Comm_get_info(comm, &used);
    MPI_Info_get_nkeys(used, &keys);
    MPI_Info_free(&used);
    return keys - 1;  // mpi_memory_alloc_kinds is there always
  };
  expect_equal(hints(with), 1, "the number of hints kept");
  expect_equal(hints(without), 0, "the number of hints inherited");
  expect_error(MPI_Send(nullptr, 0, MPI_INT, size(), 0, without), MPI_ERR_RANK, "a send to nobody");
  MPI_Comm_set_info(without, info);
  expect_equal(hints(without), 1, "the number of hints set");
  MPI_Info_free(&info);
  MPI_Comm_free(&with);
  MPI_Comm_free(&without);
}

void splits_by_color_and_key() {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, -rank(), &half);
  std::vector<int> expected;
  for (int other = size() - 1; other >= 0; --other)
    if (other % 2 == rank() % 2) expected.push_back(other);
  expect(members(half) == expected, "members are not in the order of their keys");
  MPI_Comm_free(&half);

  MPI_Comm first;
  MPI_Comm_split(MPI_COMM_WORLD, rank() == 0 ? 3 : MPI_UNDEFINED, 0, &first);
  expect((first == MPI_COMM_NULL) == (rank() != 0), "MPI_UNDEFINED does not leave out");
  if (first != MPI_COMM_NULL) MPI_Comm_free(&first);

  MPI_Comm same;
  MPI_Comm_split(MPI_COMM_WORLD, 0, size() - rank(), &same);
  expect_equal(comparison(MPI_COMM_WORLD, same), size() == 1 ? MPI_CONGRUENT : MPI_SIMILAR, "the comparison");
  MPI_Comm_free(&same);
}

void splits_by_node() {
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (on_one_node()) expect_equal(size_of(node), size(), "the number of ranks on this node");
  MPI_Comm_free(&node);

  MPI_Info set;
  MPI_Info_create(&set);
  MPI_Info_set(set, "mpi_pset_name", "mpi://SELF");
  MPI_Comm self;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, set, &self);
  expect_equal(size_of(self), 1, "the number of processes in mpi://SELF");
  MPI_Comm_free(&self);
  MPI_Info_free(&set);

  // One who takes no part among others who ask where everybody runs.
  MPI_Comm part;
  const int type = rank() == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_UNGUIDED;
  MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &part);
  expect(rank() != 0 || part == MPI_COMM_NULL, "MPI_UNDEFINED does not leave out");
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
}

// Ranks below `limit` in reverse.
MPI_Group reversed(int limit) {
  MPI_Group all = world_group(), some;
  int range[1][3] = {{limit - 1, 0, -1}};
  MPI_Group_range_incl(all, 1, range, &some);
  MPI_Group_free(&all);
  return some;
}

void creates_from_groups() {
  MPI_Group some = reversed((size() + 1) / 2);
  MPI_Comm made;
  MPI_Comm_create(MPI_COMM_WORLD, some, &made);
  const bool inside = rank() < (size() + 1) / 2;
  expect((made != MPI_COMM_NULL) == inside, "the wrong processes are members");
  if (inside) {
    expect_equal(rank_in(made), (size() + 1) / 2 - 1 - rank(), "the rank in the new communicator");
    MPI_Comm again;
    MPI_Comm_create_group(made, some, 9, &again);
    expect_equal(comparison(made, again), MPI_CONGRUENT, "the comparison");
    MPI_Comm_free(&again);
    MPI_Comm_free(&made);
  }
  MPI_Comm nobody;
  MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &nobody);
  expect(nobody == MPI_COMM_NULL, "an empty group makes a communicator");
  MPI_Group_free(&some);
}

// Each of disjoint groups by its own members, in one call.
void creates_several_at_once() {
  MPI_Group all = world_group(), mine;
  int range[1][3] = {{rank() % 2, size() - 1 - (size() - 1 - rank() % 2) % 2, 2}};
  MPI_Group_range_incl(all, 1, range, &mine);
  MPI_Comm made;
  MPI_Comm_create(MPI_COMM_WORLD, mine, &made);
  for (const int member : members(made)) expect_equal(member % 2, rank() % 2, "the parity of a member");
  MPI_Comm_free(&made);
  MPI_Group_free(&mine);
  MPI_Group_free(&all);
}

void refuses_groups_from_elsewhere() {
  MPI_Group all = world_group();
  MPI_Comm made = MPI_COMM_WORLD;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  expect_error(MPI_Comm_create(MPI_COMM_SELF, all, &made), MPI_ERR_GROUP, "a group that is no subset");
  expect(made == MPI_COMM_NULL, "a failed constructor returns something");
  MPI_Group_free(&all);
}

// The communicator goes while a receive on it waits, and on its last rank before it has been made on the first.
void is_freed_with_operations_pending() {
  MPI_Comm dup;
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  const int to = (rank() + 1) % size(), from = (rank() + size() - 1) % size();
  int in = -1;
  const int out = rank();
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, from, kTag, dup, &requests[0]);
  MPI_Issend(&out, 1, MPI_INT, to, kTag, dup, &requests[1]);
  MPI_Comm_free(&dup);
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  expect_equal(in, from, "the message on the freed communicator");
  MPI_Comm_free(&other);
}

// Where a message of a few bytes goes at once, the leader of the duplicate waits for nobody, so its messages come to
// ranks that do not have it yet. A simulated network may hold none.
void takes_messages_that_come_before_it_exists() {
  if (is_simulated()) return;
  MPI_Request held;
  int in = -1;
  const int last = size() - 1;
  if (rank() == last && last != 0) {  // late: until somebody else's message is here
    MPI_Irecv(&in, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD, &held);
    MPI_Wait(&held, MPI_STATUS_IGNORE);
  }
  MPI_Comm dup;
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  const int out = 77;
  if (rank() == 0 && last != 0) {
    MPI_Request early;
    MPI_Isend(&out, 1, MPI_INT, last, kTag, dup, &early);
    MPI_Send(&out, 1, MPI_INT, last, kTag, MPI_COMM_WORLD);
    MPI_Wait(&early, MPI_STATUS_IGNORE);
  }
  if (rank() == last && last != 0) {
    in = -1;
    MPI_Recv(&in, 1, MPI_INT, 0, MPI_ANY_TAG, dup, MPI_STATUS_IGNORE);
    expect_equal(in, 77, "the early message");
  }
  MPI_Comm_free(&dup);
}

}  // namespace

int main() {
  return run({{"a duplicate has the same members and messages of its own", duplicates},
              {"a duplicate inherits the error handler but no hints", inherits_handlers_but_no_hints},
              {"a split orders by key, then by rank", splits_by_color_and_key},
              {"a split by type finds who shares the node", splits_by_node},
              {"groups make communicators of their members", creates_from_groups},
              {"disjoint groups make communicators in one call", creates_several_at_once},
              {"a group that is no subset is refused", refuses_groups_from_elsewhere, {.least = 2}},
              {"freeing waits for nothing and harms nothing", is_freed_with_operations_pending},
              {"a message may come before its communicator", takes_messages_that_come_before_it_exists}});
}
