#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* The inner part of a field with a border of one. */
  int sizes[2] = {6, 8}, inner[2] = {4, 6}, begin[2] = {1, 1};
  double field[6][8], copy[4][6];
  MPI_Datatype type;
  for (int i = 0; i < 48; ++i) field[i / 8][i % 8] = i;
  MPI_Type_create_subarray(2, sizes, inner, begin, MPI_ORDER_C, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Sendrecv(field, 1, type, 0, 0, copy, 24, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  printf("%g to %g\n", copy[0][0], copy[3][5]);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
