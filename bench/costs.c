// Measures this machine for the settings cost_..., from which algorithms of collectives are chosen. Prints one line
// each, in the form that `mpiexec --set` and ANTIPHON_... take. Takes the least of several rounds, because other
// programs can only make them slower; none should run.
//
//   mpiexec -n 2 costs             all but cost_turn
//   mpiexec -n RANKS costs         cost_turn, where ranks outnumber cores
//
// [seconds per round, 0.1] [rounds, 10]
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMebibyte = 1 << 20, kWindow = 64 };

static int ranks, rank;
static char *from, *to;

// An operation to be timed. Rank 0 measures the time.
typedef void Act(void);

// A message in each direction.
static void exchange(int bytes) {
  if (rank == 0) MPI_Send(from, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  MPI_Recv(to, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(from, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}
static void latency(void) { exchange(8); }
static void transfer(void) { exchange(kMebibyte); }
// A window of messages without answers, then one that confirms their arrival.
static void gap(void) {
  MPI_Request requests[kWindow];
  for (int i = 0; i < kWindow; ++i) {
    if (rank == 0)
      MPI_Isend(from, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[i]);
    else
      MPI_Irecv(to, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
  if (rank == 0)
    MPI_Recv(to, 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(to, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
}
static void copy(void) { memcpy(to, from, kMebibyte); }
static void combine(void) { MPI_Reduce_local(from, to, kMebibyte / 8, MPI_DOUBLE, MPI_SUM); }
// One step of a collective, in which each rank waits for another: when it ends, each rank has had its core once.
static void step(void) {
  MPI_Sendrecv(from, 8, MPI_BYTE, (rank + 1) % ranks, 0, to, 8, MPI_BYTE, (rank + ranks - 1) % ranks, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Nanoseconds of one operation. Before each round rank 0 decides how many operations it has, and tells the other
// ranks.
static double least(Act* act, double seconds, int rounds) {
  double best = 1e300, once = 0;
  for (int round = -1; round < rounds; ++round) {
    int number = round < 0 || once >= seconds ? 1 : (int)(seconds / once) + 1;
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < number; ++i) act();
    once = (MPI_Wtime() - start) / number + 1e-9;
    if (round >= 0 && once < best) best = once;
  }
  return best * 1e9;
}

static void print(const char* name, double nanoseconds) {
  if (rank == 0) printf("%s=%.0fns\n", name, nanoseconds);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double seconds = argc > 1 ? atof(argv[1]) : 0.1;
  const int rounds = argc > 2 ? atoi(argv[2]) : 10;
  from = calloc(kMebibyte, 1);
  to = calloc(kMebibyte, 1);
  if (!from || !to || ranks < 2) MPI_Abort(MPI_COMM_WORLD, 1);
  cpu_set_t cores;
  sched_getaffinity(0, sizeof cores, &cores);
  const int number_of_cores = CPU_COUNT(&cores);
  if (ranks == 2) {
    print("cost_latency", least(latency, seconds, rounds) / 2);
    print("cost_gap", least(gap, seconds, rounds) / kWindow);
    print("cost_transfer_1m", least(transfer, seconds, rounds) / 2);
    print("cost_copy_1m", least(copy, seconds, rounds));
    print("cost_combine_1m", least(combine, seconds, rounds));
  } else if (ranks > number_of_cores) {
    const int turns = (ranks + number_of_cores - 1) / number_of_cores;
    print("cost_turn", least(step, seconds, rounds) / turns);
  } else if (rank == 0) {
    fprintf(stderr, "costs: %d ranks have a core each: 2 measure messages, more than %d a turn\n", ranks,
            number_of_cores);
  }
  free(from);
  free(to);
  MPI_Finalize();
  return 0;
}
