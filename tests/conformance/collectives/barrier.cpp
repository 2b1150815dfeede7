// Nobody leaves a barrier before everybody has entered it: MPI 5.0, 6.3. All ranks of these tests share a clock.
#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

void nobody_leaves_before_the_last_has_come(MPI_Comm comm) {
  for (int late = 0; late < std::min(size(), 4); ++late) {
    if (rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const double entered = MPI_Wtime();
    expect_error(MPI_Barrier(comm), MPI_SUCCESS, "MPI_Barrier");
    const double left = MPI_Wtime();
    double last_entered = 0;
    MPI_Allreduce(&entered, &last_entered, 1, MPI_DOUBLE, MPI_MAX, comm);
    expect(left >= last_entered, "a rank left the barrier before the last had entered it");
  }
}

void in_the_world() { nobody_leaves_before_the_last_has_come(MPI_COMM_WORLD); }

void in_a_communicator_in_another_order() {
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank(), &reversed);
  nobody_leaves_before_the_last_has_come(reversed);
  MPI_Comm_free(&reversed);
}

// One barrier must not be taken for the next.
void many_in_a_row() {
  std::vector<int> rounds(static_cast<std::size_t>(size()));
  for (int round = 0; round < 200; ++round) MPI_Barrier(MPI_COMM_WORLD);
  const int mine = 200;
  MPI_Allgather(&mine, 1, MPI_INT, rounds.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (const int each : rounds) expect_equal(each, mine, "a rank's number of barriers");
}

}  // namespace

int main() {
  return run({{"nobody leaves before the last has come", in_the_world},
              {"nobody leaves before the last has come, in another order", in_a_communicator_in_another_order},
              {"many barriers in a row", many_in_a_row}});
}
