// Ranks that do not agree on how much a collective moves, or on which one they are in, are told so instead of being
// given what was not sent (MPI 5.0, 6.1: amounts must match).
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

void expect_failure(int returned, const std::string& what) {
  expect(returned != MPI_SUCCESS, what + " returned MPI_SUCCESS");
}

// Those who get less pass on nothing, so all who wait for it learn of it.
void a_root_that_broadcasts_less() {
  for (const bool waits : {true, false}) {
    std::vector<int> data(100, rank());
    const int count = rank() == 0 ? 60 : 100;
    int returned = MPI_SUCCESS;
    if (waits) {
      returned = MPI_Bcast(data.data(), count, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
      MPI_Request request = MPI_REQUEST_NULL;
      expect_error(MPI_Ibcast(data.data(), count, MPI_INT, 0, MPI_COMM_WORLD, &request), MPI_SUCCESS, "MPI_Ibcast");
      returned = MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank() == 0)
      expect_error(returned, MPI_SUCCESS, "a broadcast on the root");
    else
      expect_failure(returned, "a broadcast of more than the root has");
  }
}

void ranks_that_give_less_than_the_root_gathers() {
  const int mine[] = {rank(), rank()};
  std::vector<int> all(static_cast<std::size_t>(2 * size()));
  const int returned = MPI_Gather(mine, rank() == 0 ? 2 : 1, MPI_INT, all.data(), 2, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank() == 0 && size() > 1)
    expect_failure(returned, "MPI_Gather of more than the others give");
  else
    expect_error(returned, MPI_SUCCESS, "MPI_Gather of all that a rank has");
}

void a_barrier_and_an_allreduce() {
  if (size() != 2) return;
  double number = 1, sum = 0;
  expect_failure(rank() == 0 ? MPI_Barrier(MPI_COMM_WORLD)
                             : MPI_Allreduce(&number, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD),
                 rank() == 0 ? "MPI_Barrier against an allreduce" : "MPI_Allreduce against a barrier");
}

void what_comes_next_is_not_disturbed() {
  const int mine = rank() + 1;
  int sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect_equal(sum, size() * (size() + 1) / 2, "the sum");
}

}  // namespace

int main() {
  return run({{"a root that broadcasts less than the others expect", a_root_that_broadcasts_less},
              {"ranks that give less than the root gathers", ranks_that_give_less_than_the_root_gathers},
              {"a barrier on one rank, an allreduce on the other", a_barrier_and_an_allreduce},
              {"what comes next is not disturbed", what_comes_next_is_not_disturbed}});
}
