// What programs do besides MPI, one kind a run, for runner_test.py: whatever touches the whole process must touch one rank.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int global = 5;
static int rank, size;

static int next(void) { return (rank + 1) % size; }

static int globals(void) {
  global += rank;
  MPI_Barrier(MPI_COMM_WORLD);
  return global == 5 + rank ? 0 : 1;
}

static void deadlock(void) {
  int in;
  MPI_Recv(&in, 1, MPI_INT, next(), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void abort_one(void) {
  if (rank == size - 1) MPI_Abort(MPI_COMM_WORLD, 7);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void fatal_error(void) {
  if (rank == size - 1) MPI_Send(&rank, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void exit_early(void) {
  if (rank == size - 1) exit(3);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void crash(void) {
  if (rank == size - 1) raise(SIGSEGV);
  MPI_Barrier(MPI_COMM_WORLD);
}

// For as long as an hour, which nobody waits for.
static int sleep_long(void) {
  const double before = MPI_Wtime();
  if (rank == 0) sleep(1800);
  if (rank == 0) usleep(1800 * 1000000u);
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - before >= 3600 ? 0 : 1;
}

static void watch_the_clock(void) {
  const double end = MPI_Wtime() + 0.01;
  while (MPI_Wtime() < end) {
  }
}

static void test_in_a_loop(void) {
  int in, done = 0;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
  MPI_Send(&rank, 1, MPI_INT, next(), 0, MPI_COMM_WORLD);
  while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static void print_in_halves(void) {
  printf("one half ");
  MPI_Barrier(MPI_COMM_WORLD);
  printf("and the other of %d\n", rank);
}

// In which order others' messages come is drawn from the seed.
static void print_order(void) {
  int in;
  for (int i = 1; i < size && rank == 0; ++i) {
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d\n", in);
  }
  if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  const char* wanted = argc > 1 ? argv[1] : "";
  int status = 0;
  MPI_Info mine;
  MPI_Info_create(&mine);  // before MPI is initialized, by each rank for itself
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!strcmp(wanted, "globals")) status = globals();
  if (!strcmp(wanted, "deadlock")) deadlock();
  if (!strcmp(wanted, "abort")) abort_one();
  if (!strcmp(wanted, "fatal error")) fatal_error();
  if (!strcmp(wanted, "exit")) exit_early();
  if (!strcmp(wanted, "crash")) crash();
  if (!strcmp(wanted, "sleep")) status = sleep_long();
  if (!strcmp(wanted, "clock")) watch_the_clock();
  if (!strcmp(wanted, "test")) test_in_a_loop();
  if (!strcmp(wanted, "halves")) print_in_halves();
  if (!strcmp(wanted, "order")) print_order();
  MPI_Info_free(&mine);
  MPI_Finalize();
  if (!strcmp(wanted, "status") && rank == size - 1) exit(4);
  return status;
}
