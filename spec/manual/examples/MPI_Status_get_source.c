#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int value = 7, source, tag;
  MPI_Status status;
  MPI_Sendrecv(&value, 1, MPI_INT, 0, 3, &value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &status);
  MPI_Status_get_source(&status, &source); /* status.MPI_SOURCE */
  MPI_Status_get_tag(&status, &tag);       /* status.MPI_TAG */
  printf("from rank %d with tag %d\n", source, tag);
  MPI_Status_set_tag(&status, 4);
  MPI_Finalize();
  return 0;
}
