#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* Each rank writes to the next one, and waits for nobody else. */
  int memory = -1, next = (rank + 1) % size, previous = (rank + size - 1) % size;
  MPI_Group world, targets, origins;
  MPI_Win window;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &next, &targets);
  MPI_Group_incl(world, 1, &previous, &origins);
  MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_post(origins, 0, window);
  MPI_Win_start(targets, 0, window);
  MPI_Put(&rank, 1, MPI_INT, next, 0, 1, MPI_INT, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  printf("%d comes after %d\n", rank, memory);
  MPI_Win_free(&window);
  MPI_Group_free(&targets), MPI_Group_free(&origins), MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
