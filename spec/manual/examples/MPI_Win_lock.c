#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* Every rank changes two values at rank 0 that have to fit together; an exclusive lock keeps the others away. */
  int rank, *memory, pair[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win win;
  MPI_Win_allocate(rank == 0 ? 2 * sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  if (rank == 0) memory[0] = memory[1] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Get(pair, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
  MPI_Win_flush(0, win);
  pair[0] += 1, pair[1] -= 1;
  MPI_Put(pair, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
  MPI_Win_unlock(0, win); /* the values are there, and the next rank may come */
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%d and %d\n", memory[0], memory[1]);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
