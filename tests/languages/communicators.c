/* Communicators: dup, create, split, and the same of two groups. */
#include <mpi.h>

#include "say.h"

static int rank, size;

static void of_one_group(void) {
  MPI_Comm copy, half, some;
  MPI_Group group, evens;
  int result, members, place, range[1][3] = {{0, size - 1, 2}};
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_compare(MPI_COMM_WORLD, copy, &result);
  say(rank, "copy is congruent", result == MPI_CONGRUENT);
  MPI_Comm_split(copy, rank % 2, -rank, &half);
  MPI_Comm_size(half, &members);
  MPI_Comm_rank(half, &place);
  say(rank, "half has", members);
  say(rank, "place in half", place);
  MPI_Comm_free(&half);
  MPI_Comm_split(copy, rank == 0 ? 0 : MPI_UNDEFINED, 0, &half);
  say(rank, "no color, no communicator", half == MPI_COMM_NULL);
  if (half != MPI_COMM_NULL) MPI_Comm_free(&half);
  MPI_Comm_group(copy, &group);
  MPI_Group_range_incl(group, 1, range, &evens);
  MPI_Comm_create(copy, evens, &some);
  members = 0;
  if (some != MPI_COMM_NULL) MPI_Comm_size(some, &members);
  say(rank, "created of even ranks", members);
  if (some != MPI_COMM_NULL) MPI_Comm_free(&some);
  MPI_Group_free(&evens);
  MPI_Group_free(&group);
  MPI_Comm_free(&copy);
}

static void of_two_groups(void) {
  MPI_Comm half, inter, copy, part, first, merged;
  MPI_Group group, leader;
  const int color = rank % 2, zero = 0;
  int flag, others, total;
  MPI_Comm_split(MPI_COMM_WORLD, color, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 12, &inter);
  MPI_Comm_test_inter(inter, &flag);
  say(rank, "has two groups", flag);
  MPI_Comm_dup(inter, &copy);
  MPI_Comm_remote_size(copy, &others);
  say(rank, "others of a copy", others);
  MPI_Allreduce(&rank, &total, 1, MPI_INT, MPI_SUM, copy);
  say(rank, "sum of the others", total);
  MPI_Comm_split(inter, rank / 2 % 2, rank, &part);
  others = 0;
  if (part != MPI_COMM_NULL) MPI_Comm_remote_size(part, &others);
  say(rank, "others of a part", others);
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  MPI_Comm_group(inter, &group);
  MPI_Group_incl(group, 1, &zero, &leader);
  MPI_Comm_create(inter, leader, &first);
  say(rank, "created of two leaders", first != MPI_COMM_NULL);
  if (first != MPI_COMM_NULL) MPI_Comm_free(&first);
  MPI_Intercomm_merge(inter, color, &merged);
  MPI_Comm_rank(merged, &total);
  say(rank, "place when merged", total);
  MPI_Group_free(&leader);
  MPI_Group_free(&group);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  of_one_group();
  if (size > 1) of_two_groups();
  MPI_Finalize();
  return 0;
}
