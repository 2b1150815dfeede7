// Every rank prints its number and where it runs.
//
//   mpicc hello.c -o hello && mpiexec -n 4 ./hello
//
// The lines appear in any order, because ranks are separate processes.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);  // An MPI call that fails ends the job with a message, so nothing here checks return codes.

  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  if (rank == 0) {
    int version, subversion, length;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_version(&version, &subversion);
    MPI_Get_library_version(library, &length);
    printf("MPI %d.%d: %s\n", version, subversion, library);
  }

  int length;
  char processor[MPI_MAX_PROCESSOR_NAME];
  MPI_Get_processor_name(processor, &length);
  printf("Hello from rank %d of %d on %s\n", rank, size, processor);

  MPI_Finalize();
  return 0;
}
