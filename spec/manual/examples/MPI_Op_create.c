#include <mpi.h>
#include <stdio.h>

static void greatest_common_divisor(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *length; ++i) {
    int a = ((int*)in)[i], b = ((int*)inout)[i];
    while (b != 0) {
      int rest = a % b;
      a = b;
      b = rest;
    }
    ((int*)inout)[i] = a;
  }
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Op op;
  int mine[2] = {rank + 1, 6}, result[2];
  MPI_Op_create(greatest_common_divisor, 1, &op);
  MPI_Allreduce(mine, result, 2, MPI_INT, op, MPI_COMM_WORLD);
  printf("%d %d\n", result[0], result[1]);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
