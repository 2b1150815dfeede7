#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* Each rank writes a record at a place of its own, computes meanwhile, and reads it back. */
  int rank, record[3], back[3];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; ++i) record[i] = 100 * rank + i;
  const MPI_Offset mine = (MPI_Offset)(rank * sizeof record);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "example.records", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_Request request;
  MPI_File_iwrite_at(file, mine, record, 3, MPI_INT, &request);
  /* ... */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_read_at(file, mine, back, 3, MPI_INT, MPI_STATUS_IGNORE);
  printf("rank %d reads %d %d %d\n", rank, back[0], back[1], back[2]);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
