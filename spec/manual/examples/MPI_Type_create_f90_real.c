#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* The type of a Fortran variable that is declared real(selected_real_kind(15, 307)). */
  MPI_Datatype real, integer;
  int bytes;
  MPI_Type_create_f90_real(15, 307, &real);
  MPI_Type_size(real, &bytes);
  printf("15 digits need %d bytes\n", bytes);
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, &integer);
  MPI_Type_size(integer, &bytes);
  printf("an integer of %d bytes\n", bytes);
  MPI_Finalize();
  return 0;
}
