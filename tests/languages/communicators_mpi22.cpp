// Communicators: dup, create, split, and the same of two groups.
#include <mpicxx.h>

#include "say.h"

static int rank, size;

static void of_one_group() {
  MPI::Intracomm copy = MPI::COMM_WORLD.Dup();
  say(rank, "copy is congruent", MPI::Comm::Compare(MPI::COMM_WORLD, copy) == MPI::CONGRUENT);
  MPI::Intracomm half = copy.Split(rank % 2, -rank);
  say(rank, "half has", half.Get_size());
  say(rank, "place in half", half.Get_rank());
  half.Free();
  half = copy.Split(rank == 0 ? 0 : MPI::UNDEFINED, 0);
  say(rank, "no color, no communicator", half == MPI::COMM_NULL);
  if (half != MPI::COMM_NULL) half.Free();
  MPI::Group group = copy.Get_group();
  const int ranges[1][3] = {{0, size - 1, 2}};
  MPI::Group evens = group.Range_incl(1, ranges);
  MPI::Intracomm some = copy.Create(evens);
  say(rank, "created of even ranks", some != MPI::COMM_NULL ? some.Get_size() : 0);
  if (some != MPI::COMM_NULL) some.Free();
  evens.Free();
  group.Free();
  copy.Free();
}

static void of_two_groups() {
  const int color = rank % 2, zero = 0;
  MPI::Intracomm half = MPI::COMM_WORLD.Split(color, rank);
  MPI::Intercomm inter = half.Create_intercomm(0, MPI::COMM_WORLD, 1 - color, 12);
  say(rank, "has two groups", inter.Is_inter());
  MPI::Intercomm copy = inter.Dup();
  say(rank, "others of a copy", copy.Get_remote_size());
  int total = 0;
  copy.Allreduce(&rank, &total, 1, MPI::INT, MPI::SUM);
  say(rank, "sum of the others", total);
  MPI::Intercomm part = inter.Split(rank / 2 % 2, rank);
  say(rank, "others of a part", part != MPI::COMM_NULL ? part.Get_remote_size() : 0);
  if (part != MPI::COMM_NULL) part.Free();
  MPI::Group group = inter.Get_group();
  MPI::Group leader = group.Incl(1, &zero);
  MPI::Intercomm first = inter.Create(leader);
  say(rank, "created of two leaders", first != MPI::COMM_NULL);
  if (first != MPI::COMM_NULL) first.Free();
  MPI::Intracomm merged = inter.Merge(color == 1);
  say(rank, "place when merged", merged.Get_rank());
  leader.Free();
  group.Free();
  merged.Free();
  copy.Free();
  inter.Free();
  half.Free();
}

int main(int argc, char** argv) {
  MPI::Init(argc, argv);
  rank = MPI::COMM_WORLD.Get_rank();
  size = MPI::COMM_WORLD.Get_size();
  of_one_group();
  if (size > 1) of_two_groups();
  MPI::Finalize();
}
