#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Info info;
  char value[256];
  int room = sizeof value, found;
  /* Before MPI is initialized. */
  MPI_Info_create_env(argc, argv, &info);
  MPI_Info_get_string(info, "maxprocs", &room, value, &found);
  printf("started with %s ranks\n", found ? value : "an unknown number of");
  MPI_Info_free(&info);
  return 0;
}
