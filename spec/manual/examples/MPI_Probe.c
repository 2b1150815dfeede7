#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* A message of unknown length. */
  if (rank > 0) {
    char text[] = "some characters";
    MPI_Send(text, rank < 15 ? rank : 15, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  } else {
    for (int i = 1; i < size; ++i) {
      MPI_Status status;
      int length;
      MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_CHAR, &length);
      char* text = malloc((size_t)length);
      MPI_Recv(text, length, MPI_CHAR, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      printf("%.*s\n", length, text);
      free(text);
    }
  }
  MPI_Finalize();
  return 0;
}
