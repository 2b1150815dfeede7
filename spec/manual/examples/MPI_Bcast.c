#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double settings[2] = {0, 0};
  if (rank == 0) {
    settings[0] = 0.25; /* only the root has read them */
    settings[1] = 1e-6;
  }
  MPI_Bcast(settings, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  printf("%g %g\n", settings[0], settings[1]);
  MPI_Finalize();
  return 0;
}
