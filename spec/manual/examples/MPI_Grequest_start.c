#include <mpi.h>
#include <stdio.h>

static int query(void* answer, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, *(int*)answer);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void* answer) {
  (void)answer;
  return MPI_SUCCESS;
}
static int cancel(void* answer, int complete) {
  (void)answer, (void)complete;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  /* Work of the program's own, which is waited for together with a message. */
  int answer = 0, token = 1, count;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Grequest_start(query, release, cancel, &answer, &requests[0]);
  MPI_Irecv(&token, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
  answer = 42; /* a thread would do this, and say that it is done: */
  MPI_Grequest_complete(requests[0]);
  MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Waitall(2, requests, statuses);
  MPI_Get_count(&statuses[0], MPI_INT, &count);
  printf("the work has %d results\n", count);
  MPI_Finalize();
  return 0;
}
