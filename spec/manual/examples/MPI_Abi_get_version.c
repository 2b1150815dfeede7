#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  /* All of these may be asked before MPI is initialized. */
  int major, minor, nkeys;
  MPI_Info info;
  (void)argc, (void)argv;
  MPI_Abi_get_version(&major, &minor);
  printf("compiled for ABI %d.%d, running on %d.%d\n", MPI_ABI_VERSION, MPI_ABI_SUBVERSION, major, minor);
  MPI_Abi_get_info(&info);
  MPI_Info_get_nkeys(info, &nkeys);
  for (int i = 0; i < nkeys; ++i) {
    char key[MPI_MAX_INFO_KEY], value[32];
    int room = sizeof value, found;
    MPI_Info_get_nthkey(info, i, key);
    MPI_Info_get_string(info, key, &room, value, &found);
    if (found) printf("%s is %s\n", key, value);
  }
  MPI_Info_free(&info);
  return 0;
}
