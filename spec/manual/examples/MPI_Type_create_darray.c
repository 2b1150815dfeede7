#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A matrix of 8 x 6 elements whose rows are dealt to the ranks one by one. */
  int rank, size, bytes, grid[2] = {0, 1};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  grid[0] = size;
  int sizes[2] = {8, 6}, how[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
  int blocks[2] = {1, MPI_DISTRIBUTE_DFLT_DARG};
  MPI_Datatype mine;
  MPI_Type_create_darray(size, rank, 2, sizes, how, blocks, grid, MPI_ORDER_C, MPI_DOUBLE, &mine);
  MPI_Type_commit(&mine);
  MPI_Type_size(mine, &bytes);
  printf("rank %d has %d rows\n", rank, bytes / (6 * (int)sizeof(double)));
  MPI_Type_free(&mine);
  MPI_Finalize();
  return 0;
}
