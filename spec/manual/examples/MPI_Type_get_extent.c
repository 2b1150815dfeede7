#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* Two doubles with a gap of one between them; the next element begins after a further gap. */
  MPI_Datatype pair, padded;
  int size;
  MPI_Aint lb, extent, true_lb, true_extent;
  MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &pair);
  MPI_Type_create_resized(pair, 0, 4 * sizeof(double), &padded);
  MPI_Type_size(padded, &size);
  MPI_Type_get_extent(padded, &lb, &extent);
  MPI_Type_get_true_extent(padded, &true_lb, &true_extent);
  printf("%d bytes of data within %ld bytes, elements %ld bytes apart\n", size, (long)true_extent, (long)extent);
  MPI_Type_free(&padded);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
