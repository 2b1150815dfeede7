#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* What is packed so can be read by any MPI on any machine. */
  int values[2] = {1, 2}, back[2] = {0, 0};
  unsigned char buffer[64];
  MPI_Aint size, position = 0;
  MPI_Pack_external_size("external32", 2, MPI_INT, &size);
  MPI_Pack_external("external32", values, 2, MPI_INT, buffer, sizeof buffer, &position);
  printf("%ld bytes of %ld, the most significant byte first: %d %d %d %d\n", (long)position, (long)size, buffer[0],
         buffer[1], buffer[2], buffer[3]);
  position = 0;
  MPI_Unpack_external("external32", buffer, size, &position, back, 2, MPI_INT);
  printf("%d %d\n", back[0], back[1]);
  MPI_Finalize();
  return 0;
}
