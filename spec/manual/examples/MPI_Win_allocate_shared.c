#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* The processes of a machine share a table: each fills a line, and reads that of its neighbor. */
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int rank, size, unit, *mine, *neighbor;
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &size);
  MPI_Win win;
  MPI_Aint bytes;
  MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &win);
  MPI_Win_shared_query(win, (rank + 1) % size, &bytes, &unit, &neighbor);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  for (int i = 0; i < 4; ++i) mine[i] = 10 * rank + i;
  MPI_Win_sync(win); /* what was stored is visible to the others, ... */
  MPI_Barrier(node); /* ... which learn of it here ... */
  MPI_Win_sync(win); /* ... and see it from here on */
  printf("the line of rank %d's neighbor begins with %d\n", rank, neighbor[0]);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Comm_free(&node);
  MPI_Finalize();
  return 0;
}
