#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  FILE* input = fopen(argc > 1 ? argv[1] : "/proc/self/status", "r");
  if (input == NULL) {
    /* Without this call the other ranks would wait for this one. */
    fprintf(stderr, "cannot open %s\n", argv[1]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  printf("the input is open\n");
  fclose(input);
  MPI_Finalize();
  return 0;
}
