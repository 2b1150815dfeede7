// Communicators from groups alone, without one that contains them (MPI 5.0, 7.4.2 and 7.6.2).
#include <algorithm>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

MPI_Group of_session(const char* set) {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group group;
  MPI_Group_from_session_pset(session, set, &group);
  MPI_Session_finalize(&session);
  return group;
}

void everybody_meets() {
  MPI_Group world = of_session("mpi://WORLD");
  MPI_Comm first, second;
  MPI_Comm_create_from_group(world, "first", MPI_INFO_NULL, MPI_ERRORS_RETURN, &first);
  MPI_Comm_create_from_group(world, "second", MPI_INFO_NULL, MPI_ERRORS_RETURN, &second);
  int sum = 0;
  const int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, second);
  expect_equal(sum, size(), "the sum");
  expect_error(MPI_Send(nullptr, 0, MPI_INT, size(), 0, first), MPI_ERR_RANK, "a send to nobody");
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
  MPI_Group_free(&world);
}

void only_members_meet() {
  MPI_Group world = of_session("mpi://WORLD"), odd;
  int range[1][3] = {{std::min(1, size() - 1), size() - 1, 2}};
  MPI_Group_range_incl(world, 1, range, &odd);
  MPI_Comm made = MPI_COMM_WORLD;
  int place = MPI_UNDEFINED;
  MPI_Group_rank(odd, &place);
  if (place != MPI_UNDEFINED) {
    MPI_Comm_create_from_group(odd, "odd", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    int got = -1;
    MPI_Comm_rank(made, &got);
    expect_equal(got, place, "the rank");
    MPI_Comm_free(&made);
  } else {
    expect_error(MPI_Comm_create_from_group(odd, "odd", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made), MPI_ERR_GROUP,
                 "a call by one who is no member");
    expect(made == MPI_COMM_NULL, "a failed constructor returns something");
  }
  MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "none", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
  expect(made == MPI_COMM_NULL, "an empty group makes a communicator");
  MPI_Group_free(&odd);
  MPI_Group_free(&world);
}

void two_groups_meet() {
  MPI_Group world = of_session("mpi://WORLD"), groups[2];
  const int middle = size() / 2;
  int low[1][3] = {{0, middle - 1, 1}}, high[1][3] = {{middle, size() - 1, 1}};
  MPI_Group_range_incl(world, 1, low, &groups[0]);
  MPI_Group_range_incl(world, 1, high, &groups[1]);
  const int side = rank() < middle ? 0 : 1;
  MPI_Comm inter;
  MPI_Intercomm_create_from_groups(groups[side], 0, groups[1 - side], 0, "both", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                   &inter);
  int remote = 0;
  MPI_Comm_remote_size(inter, &remote);
  expect_equal(remote, side == 0 ? size() - middle : middle, "the remote size");
  MPI_Comm merged;
  MPI_Intercomm_merge(inter, side, &merged);
  int place = -1;
  MPI_Comm_rank(merged, &place);
  expect_equal(place, rank(), "the rank in the merger");
  MPI_Comm_free(&merged);
  MPI_Comm_free(&inter);
  for (MPI_Group group : {groups[0], groups[1], world}) MPI_Group_free(&group);
}

void sessions_are_not_mixed() {
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Group first = of_session("mpi://WORLD"), second = of_session("mpi://SELF"), made = MPI_GROUP_NULL, of_world;
  int result = 0;
  const int zero = 0;
  int place = 0;
  expect_error(MPI_Group_union(first, second, &made), MPI_ERR_GROUP, "a union of two sessions' groups");
  expect_error(MPI_Group_intersection(first, second, &made), MPI_ERR_GROUP, "an intersection");
  expect_error(MPI_Group_difference(first, second, &made), MPI_ERR_GROUP, "a difference");
  expect_error(MPI_Group_compare(first, second, &result), MPI_ERR_GROUP, "a comparison");
  expect_error(MPI_Group_translate_ranks(first, 1, &zero, second, &place), MPI_ERR_GROUP, "a translation");
  MPI_Comm comm, child;
  MPI_Comm_create_from_group(second, "alone", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  expect_error(MPI_Comm_create(comm, first, &child), MPI_ERR_GROUP, "a communicator of another session's group");
  MPI_Comm_free(&comm);
  // With groups of no session there is nothing to mix.
  MPI_Comm_group(MPI_COMM_WORLD, &of_world);
  expect_error(MPI_Group_compare(first, of_world, &result), MPI_SUCCESS, "a comparison with the world");
  expect_error(MPI_Group_union(MPI_GROUP_EMPTY, first, &made), MPI_SUCCESS, "a union with nothing");
  expect_error(MPI_Group_union(made, second, &made), MPI_ERR_GROUP, "what was made of one session's group");
  for (MPI_Group group : {first, second, made, of_world}) MPI_Group_free(&group);
}

}  // namespace

int main() {
  return run({{"everybody meets by a string", everybody_meets},
              {"only members of a group meet", only_members_meet},
              {"two groups meet", two_groups_meet, {.least = 2}},
              {"sessions are not mixed", sessions_are_not_mixed}});
}
