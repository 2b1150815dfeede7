#include <mpi.h>
#include <stdio.h>

static void report(MPI_Win* win, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  (void)win;
  MPI_Error_string(*code, text, &length);
  printf("an error on a window: %s\n", text);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int value = 0, memory[4];
  MPI_Win win;
  MPI_Errhandler handler;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create_errhandler(report, &handler);
  MPI_Win_set_errhandler(win, handler);
  MPI_Errhandler_free(&handler); /* the window keeps it */
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  MPI_Put(&value, 1, MPI_INT, 0, 100, 1, MPI_INT, win); /* beyond the end of the window */
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
