#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* The greatest value of all ranks, and the rank that has it. */
  struct {
    double value;
    int rank;
  } mine, greatest;
  MPI_Datatype pair;
  MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair);
  MPI_Comm_rank(MPI_COMM_WORLD, &mine.rank);
  mine.value = (mine.rank * 7) % 5;
  MPI_Allreduce(&mine, &greatest, 1, pair, MPI_MAXLOC, MPI_COMM_WORLD);
  printf("rank %d has the greatest value, %g\n", greatest.rank, greatest.value);
  MPI_Finalize();
  return 0;
}
