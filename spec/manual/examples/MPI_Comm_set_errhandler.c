#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char text[MPI_MAX_ERROR_STRING];
  int length, code;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  code = MPI_Send(NULL, 0, MPI_INT, 99999, 0, MPI_COMM_WORLD);
  if (code != MPI_SUCCESS) {
    MPI_Error_string(code, text, &length);
    printf("%s\n", text);
  }
  MPI_Finalize();
  return 0;
}
