// Two groups that talk to each other: the even ranks of MPI_COMM_WORLD and the odd ones.
#pragma once

#include "support/ranks.hpp"

namespace conformance {

inline constexpr int kTag = 5;

struct Sides {
  MPI_Comm local = MPI_COMM_NULL;
  MPI_Comm inter = MPI_COMM_NULL;
  int side = rank() % 2;
  int mine = (size() + 1 - side) / 2;  // members of this side
  int theirs = size() - mine;
  int place = rank() / 2;

  // The last of each side leads.
  Sides() {
    MPI_Comm_split(MPI_COMM_WORLD, side, rank(), &local);
    const int other_leader = 2 * (theirs - 1) + 1 - side;
    MPI_Intercomm_create(local, mine - 1, MPI_COMM_WORLD, other_leader, kTag, &inter);
  }
  ~Sides() {
    MPI_Comm_free(&local);
    MPI_Comm_free(&inter);
  }
  // Their rank `place` in MPI_COMM_WORLD.
  [[nodiscard]] int world_rank_of(int place_there) const { return 2 * place_there + 1 - side; }
};

}  // namespace conformance
