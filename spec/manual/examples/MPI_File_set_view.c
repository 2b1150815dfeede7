#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* Each rank writes its numbers between those of the others, and rank 0 reads them all. */
  int rank, size, mine[4], all[400];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 4; ++i) mine[i] = 10 * i + rank;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "example.numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_Datatype every_rank; /* one int, then as many bytes as the other ranks have */
  MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)(size * sizeof(int)), &every_rank);
  MPI_Type_commit(&every_rank);
  MPI_File_set_view(file, (MPI_Offset)(rank * sizeof(int)), MPI_INT, every_rank, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, mine, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  if (rank == 0 && size <= 100) {
    MPI_Status status;
    int count;
    MPI_File_read_at(file, 0, all, 400, MPI_INT, &status); /* ends where the file does */
    MPI_Get_count(&status, MPI_INT, &count);
    printf("%d numbers, from %d to %d\n", count, all[0], all[count - 1]);
  }
  MPI_Type_free(&every_rank);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
