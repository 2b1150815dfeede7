// Windows of more memory than there is. A program of its own: where allocations fail on purpose, nobody could tell
// these failures from those.
#include "support/ranks.hpp"

using namespace conformance;

namespace {

// The error is everybody's, and nothing is lost by it.
void more_than_there_is() {
  constexpr MPI_Aint kTooMuch = MPI_Aint{1} << 50;
  for (int round = 0; round < 3; ++round) {
    void* base = nullptr;
    MPI_Win win = MPI_WIN_NULL;
    const MPI_Aint bytes = rank() == size() - 1 ? kTooMuch : 64;
    expect_error(MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win), MPI_ERR_NO_MEM,
                 "allocating more than there is");
    expect(win == MPI_WIN_NULL, "there is no window after a failure");
    if (!on_one_node()) continue;
    expect_error(MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win), MPI_ERR_NO_MEM,
                 "sharing more than there is");
    expect(win == MPI_WIN_NULL, "there is no shared window after a failure");
  }
}

}  // namespace

int main() { return run({{"memory that does not exist is refused to all", more_than_there_is}}); }
