// Adds up ranks and prints the sum, and whose library did it.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, sum, length;
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Get_library_version(version, &length);
  version[strcspn(version, " ,:\t\n")] = 0;
  if (rank == 0) printf("%d by %s\n", sum, version);
  return MPI_Finalize();
}
