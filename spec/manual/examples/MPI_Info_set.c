#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info;
  char value[64];
  int length = sizeof value, found;
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  MPI_Info_get_string(info, "alloc_shared_noncontig", &length, value, &found);
  if (found) printf("%s\n", value);
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
