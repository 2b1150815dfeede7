#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  int mine = rank, from_left = -1, from_right = -1;
  MPI_Request requests[4];
  MPI_Irecv(&from_left, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&from_right, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&mine, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&mine, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[3]);
  /* Compute what needs no neighbor, then: */
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  printf("rank %d is between %d and %d\n", rank, from_left, from_right);
  MPI_Finalize();
  return 0;
}
