#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A library has errors of its own, with classes, codes and texts like those of MPI. */
  int bad_input, empty_input, class_of_code, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Add_error_class(&bad_input);
  MPI_Add_error_code(bad_input, &empty_input);
  MPI_Add_error_string(empty_input, "the input is empty");
  MPI_Error_class(empty_input, &class_of_code);
  MPI_Error_string(empty_input, text, &length);
  printf("%s (%s)\n", text, class_of_code == bad_input ? "bad input" : "something else");
  /* In the reverse order, when the library is not needed any more. */
  MPI_Remove_error_string(empty_input);
  MPI_Remove_error_code(empty_input);
  MPI_Remove_error_class(bad_input);
  MPI_Finalize();
  return 0;
}
