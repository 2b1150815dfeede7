#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* Errors of files return, so a program looks at what open says. */
  MPI_File file;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int error = MPI_File_open(MPI_COMM_WORLD, "no/such/folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  if (error != MPI_SUCCESS) {
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(error, text, &length);
    if (rank == 0) printf("%s\n", text);
  } else {
    MPI_Offset bytes;
    MPI_File_get_size(file, &bytes);
    if (rank == 0) printf("the file has %lld bytes\n", (long long)bytes);
    MPI_File_close(&file);
  }
  MPI_Finalize();
  return 0;
}
