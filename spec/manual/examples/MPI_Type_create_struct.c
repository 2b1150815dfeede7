#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

struct particle {
  char kind;
  double position[3];
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  struct particle here = {'e', {1, 2, 3}}, there = {'?', {0, 0, 0}};
  int lengths[2] = {1, 3};
  MPI_Aint places[2] = {offsetof(struct particle, kind), offsetof(struct particle, position)};
  MPI_Datatype types[2] = {MPI_CHAR, MPI_DOUBLE}, loose, particle;
  MPI_Type_create_struct(2, lengths, places, types, &loose);
  MPI_Type_create_resized(loose, 0, sizeof(struct particle), &particle); /* as in an array */
  MPI_Type_commit(&particle);
  MPI_Sendrecv(&here, 1, particle, 0, 0, &there, 1, particle, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  printf("%c %g\n", there.kind, there.position[2]);
  MPI_Type_free(&particle);
  MPI_Type_free(&loose);
  MPI_Finalize();
  return 0;
}
