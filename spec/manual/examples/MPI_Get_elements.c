#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* Seven doubles are received as points of two: three points and a half. */
  double sent[7] = {0}, received[20];
  int points, doubles;
  MPI_Datatype point;
  MPI_Status status;
  MPI_Type_contiguous(2, MPI_DOUBLE, &point);
  MPI_Type_commit(&point);
  MPI_Sendrecv(sent, 7, MPI_DOUBLE, 0, 0, received, 10, point, 0, 0, MPI_COMM_SELF, &status);
  MPI_Get_count(&status, point, &points);
  MPI_Get_elements(&status, point, &doubles);
  if (points == MPI_UNDEFINED) printf("no whole number of points, but %d doubles\n", doubles);
  MPI_Type_free(&point);
  MPI_Finalize();
  return 0;
}
