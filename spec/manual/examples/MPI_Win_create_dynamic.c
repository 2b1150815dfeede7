#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  /* Rank 0 attaches memory when it needs it, and tells the others the address. */
  int* memory = NULL;
  MPI_Aint address = 0;
  if (rank == 0) {
    memory = malloc(sizeof(int));
    *memory = 42;
    MPI_Win_attach(win, memory, sizeof(int));
    MPI_Get_address(memory, &address);
  }
  MPI_Bcast(&address, 1, MPI_AINT, 0, MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Get(&value, 1, MPI_INT, 0, address, 1, MPI_INT, win);
  MPI_Win_unlock(0, win);
  printf("rank %d got %d\n", rank, value);
  MPI_Barrier(MPI_COMM_WORLD); /* nobody uses it any more */
  if (rank == 0) MPI_Win_detach(win, memory);
  free(memory);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
