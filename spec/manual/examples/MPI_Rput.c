#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, *memory;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win win;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  int value = rank;
  MPI_Request request;
  MPI_Rput(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  value = -1;             /* the buffer may be changed now */
  MPI_Win_flush_all(win); /* and now the value is at its target */
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  printf("rank %d was given %d\n", rank, *memory);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
