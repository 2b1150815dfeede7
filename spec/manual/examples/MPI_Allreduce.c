#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double residual = 1.0 / (1 + rank), largest;
  MPI_Allreduce(&residual, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  printf("rank %d knows that the largest is %g\n", rank, largest);
  MPI_Finalize();
  return 0;
}
