#include <mpi.h>
#include <stdio.h>

/* A library does not know whether the program has initialized MPI. */
static int begin_library(void) {
  int initialized, finalized;
  MPI_Finalized(&finalized);
  if (finalized) return 0; /* too late */
  MPI_Initialized(&initialized);
  if (!initialized) MPI_Init(NULL, NULL);
  return !initialized; /* whether the library has to finalize it */
}

int main(void) {
  const int mine = begin_library();
  printf("%s initialized MPI\n", mine ? "the library has" : "the program had");
  if (mine) MPI_Finalize();
  return 0;
}
