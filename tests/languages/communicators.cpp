// Communicators: dup, create, split, and the same of two groups. What has no form of its own is called as in C.
#include <antiphon/mpi.hpp>

#include "say.h"

using antiphon::communicator, antiphon::group, antiphon::owned;

static int rank, size;

static owned<communicator> created(communicator comm, MPI_Group members) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_create(comm, members, &made);
  return owned(communicator(made));
}

static int remote_size(communicator comm) {
  int remote = 0;
  if (comm) MPI_Comm_remote_size(comm, &remote);
  return remote;
}

static void of_one_group() {
  const auto copy = antiphon::world().dup();
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(MPI_COMM_WORLD, copy, &result);
  say(rank, "copy is congruent", result == MPI_CONGRUENT);
  const auto half = copy.split({.color = rank % 2, .key = -rank});
  say(rank, "half has", half.size());
  say(rank, "place in half", half.rank());
  const auto alone = rank == 0 ? copy.split({.color = 0}) : copy.split({});
  say(rank, "no color, no communicator", !alone);
  std::vector<int> even;
  for (int i = 0; i < size; i += 2) even.push_back(i);
  const auto of_even = copy.group_of(even);
  const auto some = created(copy, of_even);
  say(rank, "created of even ranks", some ? some.size() : 0);
}

static void of_two_groups() {
  const int color = rank % 2;
  const auto half = antiphon::world().split({.color = color, .key = rank});
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 12, &made);
  const owned inter{communicator(made)};
  int flag = 0;
  MPI_Comm_test_inter(inter, &flag);
  say(rank, "has two groups", flag);
  const auto copy = inter.dup();
  say(rank, "others of a copy", remote_size(copy));
  say(rank, "sum of the others", copy.allreduce(rank, std::plus{}));
  const auto part = inter.split({.color = rank / 2 % 2, .key = rank});
  say(rank, "others of a part", remote_size(part));
  const auto leader = inter.group_of({0});
  const auto first = created(inter, leader);
  say(rank, "created of two leaders", bool(first));
  MPI_Intercomm_merge(inter, color, &made);
  const owned merged{communicator(made)};
  say(rank, "place when merged", merged.rank());
}

int main() {
  antiphon::environment mpi;
  rank = antiphon::world().rank();
  size = antiphon::world().size();
  of_one_group();
  if (size > 1) of_two_groups();
}
