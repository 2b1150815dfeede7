// Memory that MPI allocates, and a window over it, between post and wait, start and complete, post and test.
#include <mpicxx.h>

#include "say.h"

int main(int argc, char** argv) {
  MPI::Init(argc, argv);
  const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  int* memory = static_cast<int*>(MPI::Alloc_mem(2 * sizeof(int), MPI::INFO_NULL));
  memory[0] = 10 * rank, memory[1] = -1;
  MPI::Win win = MPI::Win::Create(memory, 2 * sizeof(int), sizeof(int), MPI::INFO_NULL, MPI::COMM_WORLD);
  MPI::Group everybody = win.Get_group(), to = everybody.Incl(1, &next), from = everybody.Incl(1, &previous);
  win.Post(from, 0);
  win.Start(to, 0);
  win.Put(&rank, 1, MPI::INT, next, 1, 1, MPI::INT);
  win.Complete();
  win.Wait();
  say(rank, "was put here", memory[1]);
  int got[2] = {-1, -1};
  win.Post(from, 0);
  win.Start(to, 0);
  win.Get(got, 2, MPI::INT, next, 0, 2, MPI::INT);
  win.Complete();
  while (!win.Test()) continue;
  say(rank, "got first", got[0]);
  say(rank, "got second", got[1]);
  everybody.Free();
  to.Free();
  from.Free();
  win.Free();
  say(rank, "window is gone", win == MPI::WIN_NULL);
  MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  bool is_freed = true;
  try {
    MPI::Free_mem(memory);
  } catch (const MPI::Exception&) {
    is_freed = false;
  }
  say(rank, "memory is freed", is_freed);
  MPI::Finalize();
}
