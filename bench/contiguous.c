/* Measures contiguous messages between ranks 0 and 1, one after the other or many at once. It compiles with any MPI,
 * so that libraries can be compared: see side_by_side.
 *
 *   contiguous latency|stream BYTES [SECONDS [alloc]]
 *
 * latency is half of a ping-pong. stream is the time of a window of messages, 64 short or 8 long ones, and an answer,
 * divided by the number of messages. With `alloc` the buffers come from MPI_Alloc_mem. Prints: case, bytes,
 * microseconds in the best of several rounds, GB/s. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTag = 1, kShortWindow = 64, kLongWindow = 8, kLong = 256 * 1024, kRounds = 10 };

static int rank;

static double latency(char* out, char* in, int bytes, int repetitions) {
  const double start = MPI_Wtime();
  for (int i = 0; i < repetitions; ++i) {
    if (rank == 0) MPI_Send(out, bytes, MPI_CHAR, 1, kTag, MPI_COMM_WORLD);
    MPI_Recv(in, bytes, MPI_CHAR, 1 - rank, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(out, bytes, MPI_CHAR, 0, kTag, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - start) / repetitions / 2;
}

static double stream(char* out, char* in, int bytes, int repetitions) {
  MPI_Request requests[kShortWindow];
  const int window = bytes > kLong ? kLongWindow : kShortWindow;
  char answer = 0;
  const double start = MPI_Wtime();
  for (int i = 0; i < repetitions; ++i) {
    for (int j = 0; j < window; ++j)
      if (rank == 0)
        MPI_Isend(out, bytes, MPI_CHAR, 1, kTag, MPI_COMM_WORLD, &requests[j]);
      else
        MPI_Irecv(in, bytes, MPI_CHAR, 0, kTag, MPI_COMM_WORLD, &requests[j]);
    MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
    if (rank == 0)
      MPI_Recv(&answer, 1, MPI_CHAR, 1, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Send(&answer, 1, MPI_CHAR, 0, kTag, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - start) / repetitions / window;
}

static char* buffer_of(int bytes, int allocated) {
  char* buffer = NULL;
  if (allocated)
    MPI_Alloc_mem(bytes, MPI_INFO_NULL, &buffer);
  else
    buffer = malloc((size_t)bytes);
  memset(buffer, 1, (size_t)bytes);
  return buffer;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = argc > 2 ? atoi(argv[2]) : 0;
  const double seconds = argc > 3 ? atof(argv[3]) : 0.2;
  const int allocated = argc > 4 && strcmp(argv[4], "alloc") == 0;
  double (*const one_case)(char*, char*, int, int) = argc > 1 && strcmp(argv[1], "stream") == 0 ? stream : latency;
  if (bytes < 1 || (one_case == latency && strcmp(argv[1], "latency") != 0)) {
    if (rank == 0) fprintf(stderr, "usage, on 2 ranks: contiguous latency|stream BYTES [SECONDS [alloc]]\n");
    MPI_Finalize();
    return 2;
  }
  char* const out = buffer_of(bytes, allocated);
  char* const in = buffer_of(bytes, allocated);

  int repetitions = 1;
  for (double taken = 0; taken < seconds / kRounds;) {
    repetitions *= 2;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    one_case(out, in, bytes, repetitions);
    taken = MPI_Wtime() - start;
    MPI_Bcast(&taken, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double each = one_case(out, in, bytes, repetitions);
    if (each < best) best = each;
  }
  if (rank == 0) printf("%s %d %.4f us %.3f GB/s\n", argv[1], bytes, best * 1e6, bytes / best * 1e-9);
  if (allocated) {
    MPI_Free_mem(out);
    MPI_Free_mem(in);
  } else {
    free(out);
    free(in);
  }
  MPI_Finalize();
  return 0;
}
