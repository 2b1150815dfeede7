#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* The upper triangle of a matrix of 3 x 3: rows of 3, 2 and 1 elements. */
  int lengths[3] = {3, 2, 1}, places[3] = {0, 4, 8};
  double matrix[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, triangle[6];
  MPI_Datatype upper;
  MPI_Type_indexed(3, lengths, places, MPI_DOUBLE, &upper);
  MPI_Type_commit(&upper);
  MPI_Sendrecv(matrix, 1, upper, 0, 0, triangle, 6, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  for (int i = 0; i < 6; ++i) printf("%g%c", triangle[i], i < 5 ? ' ' : '\n');
  MPI_Type_free(&upper);
  MPI_Finalize();
  return 0;
}
