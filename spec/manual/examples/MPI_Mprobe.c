#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 0) {
    int values[100] = {0};
    MPI_Send(values, 10 * rank, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  /* Several threads could do this: each receives the message that it has probed, and no other. */
  for (int i = 1; rank == 0 && i < size; ++i) {
    MPI_Message message;
    MPI_Status status;
    int count;
    MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    int* values = malloc((size_t)count * sizeof(int));
    MPI_Mrecv(values, count, MPI_INT, &message, MPI_STATUS_IGNORE);
    printf("%d numbers from rank %d\n", count, status.MPI_SOURCE);
    free(values);
  }
  MPI_Finalize();
  return 0;
}
