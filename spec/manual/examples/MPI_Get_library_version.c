#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, version, subversion;
  (void)argc, (void)argv;
  /* Before MPI is initialized. */
  MPI_Get_library_version(library, &length);
  MPI_Get_version(&version, &subversion);
  printf("%s implements MPI %d.%d\n", library, version, subversion);
  return 0;
}
