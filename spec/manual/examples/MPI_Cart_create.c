#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2], up, down;
  MPI_Comm grid;
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, coords);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  printf("rank %d is at (%d, %d), between %d and %d\n", rank, coords[0], coords[1], up, down);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
