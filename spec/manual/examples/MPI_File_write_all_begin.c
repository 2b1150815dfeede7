#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A collective write in two halves, with something else to do in between. */
  int rank, numbers[1000];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 1000; ++i) numbers[i] = rank;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "example.halves", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_File_set_view(file, (MPI_Offset)(rank * sizeof numbers), MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_write_all_begin(file, numbers, 1000, MPI_INT);
  /* ... */
  MPI_Status status;
  int count;
  MPI_File_write_all_end(file, numbers, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  printf("rank %d has written %d numbers\n", rank, count);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
