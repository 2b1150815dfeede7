// Memory that MPI allocates, and a window over it, between post and wait, start and complete, post and test. What has
// no form of its own is called as in C.
#include <antiphon/mpi.hpp>

#include "say.h"

int main() {
  antiphon::environment mpi;
  const auto world = antiphon::world();
  const int rank = world.rank(), size = world.size(), next = (rank + 1) % size, previous = (rank + size - 1) % size;
  int* memory = nullptr;
  MPI_Alloc_mem(2 * sizeof(int), MPI_INFO_NULL, &memory);
  memory[0] = 10 * rank, memory[1] = -1;
  auto window = world.expose(std::span(memory, 2));
  const auto to = world.group_of({next}), from = world.group_of({previous});
  {
    const auto exposure = window.post(from);
    auto access = window.start(to);
    access.put(std::span(&rank, 1), {.to = next, .at = 1});
  }
  say(rank, "was put here", memory[1]);
  std::vector<int> got(2, -1);
  MPI_Win_post(from, 0, window);
  window.start(to).get(std::span(got), {.from = next});
  for (int flag = 0; !flag;) MPI_Win_test(window, &flag);
  say(rank, "got first", got[0]);
  say(rank, "got second", got[1]);
  window = {};
  say(rank, "window is gone", MPI_Win(window) == MPI_WIN_NULL);
  say(rank, "memory is freed", MPI_Free_mem(memory) == MPI_SUCCESS);
}
