// What becomes of two groups that talk to each other.
#include <algorithm>
#include <vector>

#include "communicators/sides.hpp"

using namespace conformance;

namespace {

// Everybody sends its rank to everybody of the other side.
void talk(MPI_Comm inter) {
  int theirs = 0, side = rank() % 2;
  MPI_Comm_remote_size(inter, &theirs);
  const int out = rank();
  std::vector<MPI_Request> sends(static_cast<std::size_t>(theirs));
  for (int to = 0; to < theirs; ++to)
    MPI_Isend(&out, 1, MPI_INT, to, kTag, inter, &sends[static_cast<std::size_t>(to)]);
  for (int i = 0; i < theirs; ++i) {
    MPI_Status status;
    int in = -1;
    MPI_Probe(i < theirs / 2 ? i : MPI_ANY_SOURCE, kTag, inter, &status);
    MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, MPI_ANY_TAG, inter, &status);
    expect_equal(in % 2, 1 - side, "the side of the sender");
  }
  MPI_Waitall(theirs, sends.data(), MPI_STATUSES_IGNORE);
}

void knows_both_groups() {
  const Sides sides;
  int flag = 0, local = 0, remote = 0, place = -1;
  MPI_Comm_test_inter(sides.inter, &flag);
  MPI_Comm_size(sides.inter, &local);
  MPI_Comm_remote_size(sides.inter, &remote);
  MPI_Comm_rank(sides.inter, &place);
  expect_equal(flag, 1, "the flag");
  expect_equal(local, sides.mine, "the local size");
  expect_equal(remote, sides.theirs, "the remote size");
  expect_equal(place, sides.place, "the rank");
  MPI_Group theirs, world;
  MPI_Comm_remote_group(sides.inter, &theirs);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  for (int i = 0; i < sides.theirs; ++i) {
    int in_world = -1;
    MPI_Group_translate_ranks(theirs, 1, &i, world, &in_world);
    expect_equal(in_world, sides.world_rank_of(i), "a remote process");
  }
  MPI_Group_free(&theirs);
  MPI_Group_free(&world);
  expect_error(MPI_Comm_remote_size(MPI_COMM_WORLD, &remote), MPI_ERR_COMM,
               "the remote size of an intracommunicator");
}

void sends_to_the_other_side() {
  const Sides sides;
  talk(sides.inter);
  expect_error(MPI_Send(nullptr, 0, MPI_INT, sides.theirs, kTag, sides.inter), MPI_ERR_RANK,
               "a send beyond the remote group");
}

void has_duplicates() {
  const Sides sides;
  MPI_Comm dup, later;
  MPI_Request request;
  MPI_Comm_idup(sides.inter, &later, &request);
  MPI_Comm_dup(sides.inter, &dup);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (MPI_Comm comm : {dup, later}) {
    int result = 0;
    MPI_Comm_compare(sides.inter, comm, &result);
    expect_equal(result, MPI_CONGRUENT, "the comparison");
    talk(comm);
    MPI_Comm_free(&comm);
  }
  int result = 0;
  MPI_Comm_compare(sides.inter, sides.local, &result);
  expect_equal(result, MPI_UNEQUAL, "the comparison with an intracommunicator");
}

void merges() {
  const Sides sides;
  for (const int odd_high : {0, 1}) {
    MPI_Comm merged;
    MPI_Intercomm_merge(sides.inter, sides.side == 1 ? odd_high : 1 - odd_high, &merged);
    const bool mine_first = sides.side != odd_high;
    int place = -1;
    MPI_Comm_rank(merged, &place);
    expect_equal(place, sides.place + (mine_first ? 0 : sides.theirs), "the rank in the merger");
    MPI_Comm_free(&merged);
  }
}

void a_merger_needs_one_mind_in_each_group() {
  const Sides sides;
  if (sides.mine < 2 && sides.theirs < 2) return;
  MPI_Comm merged = MPI_COMM_WORLD;
  expect_error(MPI_Intercomm_merge(sides.inter, sides.place == 0 ? 1 : 0, &merged), MPI_ERR_ARG,
               "a merger of a group that is of two minds");
  expect(merged == MPI_COMM_NULL, "a failed constructor returns something");
  MPI_Intercomm_merge(sides.inter, sides.side, &merged);
  MPI_Barrier(merged);
  MPI_Comm_free(&merged);
}

void splits() {
  const Sides sides;
  MPI_Comm part;
  // The first two of each side on one hand; color 2 is empty on the odd side.
  const int color = sides.place < 2 ? 0 : sides.side == 0 ? 2 : MPI_UNDEFINED;
  MPI_Comm_split(sides.inter, color, -sides.place, &part);
  expect((part != MPI_COMM_NULL) == (color == 0), "the wrong processes are members");
  if (part == MPI_COMM_NULL) return;
  int place = -1;
  MPI_Comm_rank(part, &place);
  expect_equal(place, std::min(sides.mine, 2) - 1 - sides.place, "the rank by key");
  talk(part);
  MPI_Comm_free(&part);
}

// All processes of a job of one machine are on it, and a type of hardware that divides them divides both sides.
void splits_by_type() {
  const Sides sides;
  MPI_Comm part;
  expect_error(MPI_Comm_split_type(sides.inter, MPI_COMM_TYPE_SHARED, -sides.place, MPI_INFO_NULL, &part),
               MPI_SUCCESS, "a split by shared memory");
  int flag = 0, place = -1, theirs = 0;
  MPI_Comm_test_inter(part, &flag);
  MPI_Comm_rank(part, &place);
  MPI_Comm_remote_size(part, &theirs);
  expect_equal(flag, 1, "whether it is an intercommunicator");
  expect_equal(place, sides.mine - 1 - sides.place, "the rank by key");
  expect_equal(theirs, sides.theirs, "the remote size");
  talk(part);
  MPI_Comm_free(&part);

  // The first of each side alone.
  MPI_Comm_split_type(sides.inter, sides.place == 0 ? MPI_COMM_TYPE_SHARED : MPI_UNDEFINED, 0, MPI_INFO_NULL, &part);
  expect((part != MPI_COMM_NULL) == (sides.place == 0), "the wrong processes are members");
  if (part != MPI_COMM_NULL) {
    talk(part);
    MPI_Comm_free(&part);
  }
  const int unguided = rank() == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_UNGUIDED;
  MPI_Comm_split_type(sides.inter, unguided, 0, MPI_INFO_NULL, &part);
  if (part != MPI_COMM_NULL) {
    talk(part);
    MPI_Comm_free(&part);
  }
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_hw_resource_type", "mpi_shared_memory");
  MPI_Comm_split_type(sides.inter, MPI_COMM_TYPE_HW_GUIDED, 0, info, &part);
  MPI_Info_free(&info);
  expect(part != MPI_COMM_NULL, "a guided split of two sides on one machine is none");
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
}

void creates_parts() {
  const Sides sides;
  MPI_Group mine, first;
  const int zero = 0;
  MPI_Comm_group(sides.inter, &mine);
  MPI_Group_incl(mine, 1, &zero, &first);
  MPI_Comm pair, nobody;
  MPI_Comm_create(sides.inter, first, &pair);
  expect((pair != MPI_COMM_NULL) == (sides.place == 0), "the wrong processes are members");
  if (pair != MPI_COMM_NULL) {
    talk(pair);
    MPI_Comm_free(&pair);
  }
  MPI_Comm_create(sides.inter, sides.side ? first : MPI_GROUP_EMPTY, &nobody);
  expect(nobody == MPI_COMM_NULL, "half of an intercommunicator is made");
  MPI_Group_free(&mine);
  MPI_Group_free(&first);
}

// An intercommunicator as the way from leader to leader.
void leads_to_another() {
  const Sides sides;
  MPI_Comm alone, pair;
  MPI_Comm_split(sides.local, sides.place, 0, &alone);
  if (sides.place < std::min(sides.mine, sides.theirs)) {
    MPI_Intercomm_create(alone, 0, sides.inter, sides.place, kTag, &pair);
    talk(pair);
    MPI_Comm_free(&pair);
  }
  MPI_Comm_free(&alone);
}

void refuses_what_is_no_other_side() {
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm made = MPI_COMM_WORLD;
  expect_error(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, rank(), kTag, &made), MPI_ERR_RANK,
               "a leader that is oneself");
  expect(made == MPI_COMM_NULL, "a failed constructor returns something");
  expect_error(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_NULL, 0, kTag, &made), MPI_ERR_COMM,
               "no way to the other leader");
  expect_error(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &made), MPI_ERR_COMM, "a merger of one group");
}

}  // namespace

int main() {
  return run({{"an intercommunicator knows both groups", knows_both_groups},
              {"ranks are those of the other side", sends_to_the_other_side},
              {"duplicates are intercommunicators", has_duplicates},
              {"a merger puts the high group last", merges},
              {"a merger needs one mind in each group", a_merger_needs_one_mind_in_each_group},
              {"a split pairs what both sides name", splits},
              {"a split by type does, too", splits_by_type, {.one_node = true}},
              {"a part has members of both sides or is none", creates_parts},
              {"leaders may meet in an intercommunicator", leads_to_another},
              {"what is no other side is refused", refuses_what_is_no_other_side}});
}
