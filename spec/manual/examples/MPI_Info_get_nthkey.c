#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info;
  int nkeys, found;
  MPI_Info_create(&info);
  MPI_Info_set(info, "color", "green");
  MPI_Info_set(info, "shape", "round");
  MPI_Info_get_nkeys(info, &nkeys);
  for (int i = 0; i < nkeys; ++i) {
    char key[MPI_MAX_INFO_KEY];
    int room = 0;
    MPI_Info_get_nthkey(info, i, key);
    MPI_Info_get_string(info, key, &room, NULL, &found); /* how much room does the value need? */
    char* value = malloc((size_t)room);
    MPI_Info_get_string(info, key, &room, value, &found);
    printf("%s = %s\n", key, value);
    free(value);
  }
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
