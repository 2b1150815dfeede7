#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int free_value(MPI_Comm comm, int keyval, void* value, void* extra_state) {
  (void)comm, (void)keyval, (void)extra_state;
  free(value);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* A library keeps what it needs with the communicator, and frees it with the communicator. */
  int keyval, found;
  int* value = malloc(sizeof *value);
  MPI_Comm comm;
  *value = 42;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_value, &keyval, NULL);
  MPI_Comm_set_attr(comm, keyval, value);
  MPI_Comm_get_attr(comm, keyval, &value, &found);
  if (found) printf("%d\n", *value);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return 0;
}
