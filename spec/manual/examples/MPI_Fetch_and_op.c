#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* Ranks draw tasks from a counter at rank 0 until there are no more. */
  int rank, *counter, one = 1, task, done = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win win;
  MPI_Win_allocate(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
  if (rank == 0) *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  for (;;) {
    MPI_Fetch_and_op(&one, &task, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win); /* task is set now */
    if (task >= 100) break;
    ++done;
  }
  MPI_Win_unlock_all(win);
  printf("rank %d has done %d tasks\n", rank, done);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
