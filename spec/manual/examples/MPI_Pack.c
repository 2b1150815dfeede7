#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char buffer[100];
  int position = 0, count = 3, found = 0;
  double values[3] = {1, 2, 3}, copy[3];
  MPI_Pack(&count, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
  MPI_Pack(values, count, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
  MPI_Bcast(buffer, sizeof buffer, MPI_PACKED, 0, MPI_COMM_WORLD);
  position = 0;
  MPI_Unpack(buffer, sizeof buffer, &position, &found, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Unpack(buffer, sizeof buffer, &position, copy, found, MPI_DOUBLE, MPI_COMM_WORLD);
  printf("%d values, the last is %g\n", found, copy[2]);
  MPI_Finalize();
  return 0;
}
