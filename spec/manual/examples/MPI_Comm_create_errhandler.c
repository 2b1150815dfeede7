#include <mpi.h>
#include <stdio.h>

static void report(MPI_Comm* comm, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING], name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Comm_get_name(*comm, name, &length);
  MPI_Error_string(*code, text, &length);
  printf("an error on %s: %s\n", name, text);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler old, mine;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &old);
  MPI_Comm_create_errhandler(report, &mine);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
  MPI_Send(NULL, 0, MPI_INT, -5, 0, MPI_COMM_WORLD);         /* there is no such rank */
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_UNKNOWN); /* an error of the program's own */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, old);
  MPI_Errhandler_free(&old);
  MPI_Errhandler_free(&mine);
  MPI_Finalize();
  return 0;
}
