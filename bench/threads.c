/* Measures how many messages per second pairs of threads exchange at MPI_THREAD_MULTIPLE. Thread i of rank 0 and
 * thread i of rank 1 are a pair. Each pair has a communicator of its own, or all share one and each has its own tag.
 *   mpiexec -n 2 ./threads PAIRS [own|one [rate|pingpong [SECONDS]]]
 * Plain MPI and POSIX threads: mpicc -O2 -pthread threads.c -o threads */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWindow = 64, kBytes = 8, kMostPairs = 64 };

struct Pair {
  MPI_Comm comm;
  int rank, tag;
  int pingpong;
  double seconds;
  double messages;
};

/* Sends a window of messages from rank 0 to rank 1. The answer says whether another window follows. */
static int window(struct Pair* pair, double end) {
  static char content[kBytes];
  char in[kWindow][kBytes];
  MPI_Request requests[kWindow];
  char go_on = 1;
  for (int i = 0; i < kWindow; ++i)
    if (pair->rank == 0)
      MPI_Isend(content, kBytes, MPI_CHAR, 1, pair->tag, pair->comm, &requests[i]);
    else
      MPI_Irecv(in[i], kBytes, MPI_CHAR, 0, pair->tag, pair->comm, &requests[i]);
  MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
  if (pair->rank == 0) {
    MPI_Recv(&go_on, 1, MPI_CHAR, 1, pair->tag, pair->comm, MPI_STATUS_IGNORE);
  } else {
    go_on = MPI_Wtime() < end;
    MPI_Send(&go_on, 1, MPI_CHAR, 0, pair->tag, pair->comm);
  }
  pair->messages += kWindow;
  return go_on;
}

static int pingpong(struct Pair* pair, double end) {
  char content[kBytes] = {0};
  for (int i = 0; i < kWindow; ++i) {
    if (pair->rank == 1 && i == kWindow - 1) content[0] = MPI_Wtime() < end;
    if (pair->rank == 0) MPI_Send(content, kBytes, MPI_CHAR, 1, pair->tag, pair->comm);
    MPI_Recv(content, kBytes, MPI_CHAR, 1 - pair->rank, pair->tag, pair->comm, MPI_STATUS_IGNORE);
    if (pair->rank == 1 && i == kWindow - 1) content[0] = MPI_Wtime() < end;
    if (pair->rank == 1) MPI_Send(content, kBytes, MPI_CHAR, 0, pair->tag, pair->comm);
  }
  pair->messages += 2 * kWindow;
  return content[0];
}

static void* run(void* argument) {
  struct Pair* pair = argument;
  const double end = MPI_Wtime() + pair->seconds;
  while ((pair->pingpong ? pingpong : window)(pair, end)) continue;
  return NULL;
}

int main(int argc, char** argv) {
  static struct Pair pairs[kMostPairs];
  pthread_t threads[kMostPairs];
  int level, rank, count = argc > 1 ? atoi(argv[1]) : 1;
  const int own = argc < 3 || strcmp(argv[2], "one") != 0;
  const double seconds = argc > 4 ? atof(argv[4]) : 1.0;
  if (count < 1 || count > kMostPairs) count = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count; ++i) {
    pairs[i] = (struct Pair){MPI_COMM_WORLD, rank, i, argc > 3 && strcmp(argv[3], "pingpong") == 0, seconds, 0};
    if (own) MPI_Comm_dup(MPI_COMM_WORLD, &pairs[i].comm);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (rank < 2) {
    for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, run, &pairs[i]);
    for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  }
  const double took = MPI_Wtime() - start;
  double all = 0;
  for (int i = 0; i < count; ++i) all += pairs[i].messages;
  if (rank == 0)
    printf("%d pairs, %s, %s: %.2f million messages a second\n", count, own ? "own communicators" : "one communicator",
           pairs[0].pingpong ? "ping-pong" : "windows", all / took / 1e6);
  for (int i = 0; i < count && own; ++i) MPI_Comm_free(&pairs[i].comm);
  MPI_Finalize();
  return level == MPI_THREAD_MULTIPLE ? 0 : 1;
}
