#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A log: lines come in any order, and none is torn; at the end a summary, in the order of ranks. */
  int rank;
  char line[64];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "example.log", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  for (int step = 0; step < 3; ++step) {
    snprintf(line, sizeof line, "step %d of rank %d\n", step, rank);
    MPI_File_write_shared(file, line, (int)strlen(line), MPI_CHAR, MPI_STATUS_IGNORE);
  }
  snprintf(line, sizeof line, "rank %d is done\n", rank);
  MPI_File_write_ordered(file, line, (int)strlen(line), MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_Offset bytes;
  MPI_File_get_position_shared(file, &bytes);
  if (rank == 0) printf("the log has %lld bytes\n", (long long)bytes);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
