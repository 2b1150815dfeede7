/* Memory that MPI allocates, and a window over it, between post and wait, start and complete, post and test. */
#include <mpi.h>

#include "say.h"

int main(int argc, char** argv) {
  int rank, size, next, previous, flag, got[2] = {-1, -1}, *memory;
  MPI_Win win;
  MPI_Group everybody, to, from;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  next = (rank + 1) % size, previous = (rank + size - 1) % size;
  MPI_Alloc_mem(2 * sizeof(int), MPI_INFO_NULL, &memory);
  memory[0] = 10 * rank, memory[1] = -1;
  MPI_Win_create(memory, 2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_get_group(win, &everybody);
  MPI_Group_incl(everybody, 1, &next, &to);
  MPI_Group_incl(everybody, 1, &previous, &from);
  MPI_Win_post(from, 0, win);
  MPI_Win_start(to, 0, win);
  MPI_Put(&rank, 1, MPI_INT, next, 1, 1, MPI_INT, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  say(rank, "was put here", memory[1]);
  MPI_Win_post(from, 0, win);
  MPI_Win_start(to, 0, win);
  MPI_Get(got, 2, MPI_INT, next, 0, 2, MPI_INT, win);
  MPI_Win_complete(win);
  do MPI_Win_test(win, &flag);
  while (!flag);
  say(rank, "got first", got[0]);
  say(rank, "got second", got[1]);
  MPI_Group_free(&everybody);
  MPI_Group_free(&to);
  MPI_Group_free(&from);
  MPI_Win_free(&win);
  say(rank, "window is gone", win == MPI_WIN_NULL);
  say(rank, "memory is freed", MPI_Free_mem(memory) == MPI_SUCCESS);
  MPI_Finalize();
  return 0;
}
