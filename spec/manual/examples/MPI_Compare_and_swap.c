#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* The rank that replaces the -1 at rank 0 by its own number is the leader. */
  int rank, *leader, nobody = -1, before;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win win;
  MPI_Win_allocate(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &leader, &win);
  if (rank == 0) *leader = nobody;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Compare_and_swap(&rank, &nobody, &before, MPI_INT, 0, 0, win);
  MPI_Win_flush_local(0, win); /* before is set now */
  MPI_Win_unlock(0, win);
  if (before == nobody) printf("one rank is the leader\n");
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
