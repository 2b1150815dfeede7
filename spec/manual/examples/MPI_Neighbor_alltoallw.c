#include <mpi.h>
#include <stdio.h>

enum { N = 6 }; /* a field of 4 x 4 cells with a frame of halo cells */

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A grid of ranks. Columns and rows at the edges of the field go to the neighbors from where they are. */
  int size, rank, dims[2] = {0, 0}, periods[2] = {1, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  double field[N][N];
  for (int y = 0; y < N; ++y)
    for (int x = 0; x < N; ++x) field[y][x] = rank;
  MPI_Datatype row, column;
  MPI_Type_contiguous(N - 2, MPI_DOUBLE, &row);
  MPI_Type_vector(N - 2, 1, N, MPI_DOUBLE, &column);
  MPI_Type_commit(&row);
  MPI_Type_commit(&column);
  /* The order of neighbors: above, below, left, right. Displacements are in bytes. */
  const MPI_Aint cell = sizeof(double), line = N * cell;
  int ones[4] = {1, 1, 1, 1};
  MPI_Datatype types[4] = {row, row, column, column};
  MPI_Aint from[4] = {line + cell, (N - 2) * line + cell, line + cell, line + (N - 2) * cell};
  MPI_Aint to[4] = {cell, (N - 1) * line + cell, line, line + (N - 1) * cell};
  MPI_Neighbor_alltoallw(field, ones, from, types, field, ones, to, types, grid);
  printf("rank %d: above is rank %g, to the right rank %g\n", rank, field[0][1], field[1][N - 1]);
  MPI_Type_free(&row);
  MPI_Type_free(&column);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
