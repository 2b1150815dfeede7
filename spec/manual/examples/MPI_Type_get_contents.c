#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype column;
  MPI_Type_vector(3, 1, 10, MPI_DOUBLE, &column);
  int nintegers, naddresses, ndatatypes, combiner;
  MPI_Type_get_envelope(column, &nintegers, &naddresses, &ndatatypes, &combiner);
  if (combiner == MPI_COMBINER_VECTOR) {
    int integers[3];
    MPI_Aint no_address;
    MPI_Datatype element;
    MPI_Type_get_contents(column, nintegers, naddresses, ndatatypes, integers, &no_address, &element);
    printf("%d blocks of %d elements, %d elements apart, of %s\n", integers[0], integers[1], integers[2],
           element == MPI_DOUBLE ? "MPI_DOUBLE" : "another type");
  }
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
