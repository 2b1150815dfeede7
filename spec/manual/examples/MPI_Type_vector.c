#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A column of a matrix. */
  double matrix[4][5], column[4];
  MPI_Datatype column_type;
  for (int i = 0; i < 20; ++i) matrix[i / 5][i % 5] = i;
  MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &column_type);
  MPI_Type_commit(&column_type);
  MPI_Sendrecv(&matrix[0][2], 1, column_type, 0, 0, column, 4, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  printf("%g %g %g %g\n", column[0], column[1], column[2], column[3]);
  MPI_Type_free(&column_type);
  MPI_Finalize();
  return 0;
}
