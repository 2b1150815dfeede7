#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info resources;
  int nkeys;
  MPI_Get_hw_resource_info(&resources);
  MPI_Info_get_nkeys(resources, &nkeys);
  printf("this rank knows %d kinds of hardware resources\n", nkeys);
  for (int i = 0; i < nkeys; ++i) {
    char kind[MPI_MAX_INFO_KEY], value[8];
    int room = sizeof value, found;
    MPI_Info_get_nthkey(resources, i, kind);
    MPI_Info_get_string(resources, kind, &room, value, &found);
    if (found) printf("restricted to one %s: %s\n", kind, value);
  }
  MPI_Info_free(&resources);
  MPI_Finalize();
  return 0;
}
