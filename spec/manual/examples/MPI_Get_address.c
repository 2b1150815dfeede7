#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* Two variables in one message: their addresses are the displacements, and MPI_BOTTOM is the buffer. */
  int rank, lengths[2] = {1, 3};
  int count = 0;
  double values[3] = {0, 0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) count = 3, values[2] = 1.5;
  MPI_Aint places[2];
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, both;
  MPI_Get_address(&count, &places[0]);
  MPI_Get_address(values, &places[1]);
  MPI_Type_create_struct(2, lengths, places, types, &both);
  MPI_Type_commit(&both);
  MPI_Bcast(MPI_BOTTOM, 1, both, 0, MPI_COMM_WORLD);
  MPI_Aint last = MPI_Aint_add(places[1], 2 * (MPI_Aint)sizeof(double));
  printf("rank %d: %d values, the last one %g, %ld bytes behind the first\n", rank, count, values[2],
         (long)MPI_Aint_diff(last, places[1]));
  MPI_Type_free(&both);
  MPI_Finalize();
  return 0;
}
