#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double* memory;
  MPI_Alloc_mem(1000 * sizeof *memory, MPI_INFO_NULL, &memory);
  memory[999] = 1;
  printf("%g\n", memory[999]);
  MPI_Free_mem(memory);
  MPI_Finalize();
  return 0;
}
