/* A ping-pong of noncontiguous messages between ranks 0 and 1. It compiles with any MPI, so that libraries can be
 * compared: see side_by_side.
 *
 *   noncontiguous SHAPE BYTES [SECONDS [alloc]]
 *
 * SHAPE, with about BYTES bytes of data:
 *   column  a column of a matrix of doubles, whose rows have 64 elements
 *   face    a face of a box of doubles, in long rows
 *   side    a side of a box of doubles: pairs of doubles, 128 bytes apart
 *   struct  an array of structs: an int and a double are sent, gaps are not
 *   rows    half of each row of 8 KiB
 *   whole   contiguous bytes, for comparison
 *
 * With `alloc` the buffers come from MPI_Alloc_mem. Prints: shape, bytes, half of a ping-pong in microseconds in the
 * best of several rounds, GB/s. Checks the received data at the end. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct body {
  MPI_Datatype type;
  int count;
  size_t span; /* bytes of memory */
};

static struct body column(long bytes) {
  struct body body = {MPI_DATATYPE_NULL, 1, 0};
  const int rows = (int)(bytes / 8);
  MPI_Type_vector(rows, 1, 64, MPI_DOUBLE, &body.type);
  body.span = (size_t)rows * 64 * 8;
  return body;
}

static struct body box(const int sizes[3], const int part[3], const int start[3]) {
  struct body body = {MPI_DATATYPE_NULL, 1, 0};
  MPI_Type_create_subarray(3, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &body.type);
  body.span = (size_t)sizes[0] * (size_t)sizes[1] * (size_t)sizes[2] * 8;
  return body;
}

/* The largest n for which n * n elements have at most `bytes` bytes. */
static int edge(long bytes, long element) {
  int n = 1;
  while ((long)(n + 1) * (n + 1) * element <= bytes) n++;
  return n;
}

static struct body face(long bytes) {
  const int n = edge(bytes, 8), sizes[] = {n, 4, n}, part[] = {n, 1, n}, start[] = {0, 1, 0};
  return box(sizes, part, start);
}

static struct body side(long bytes) {
  const int n = edge(bytes, 16), sizes[] = {n, n, 16}, part[] = {n, n, 2}, start[] = {0, 0, 3};
  return box(sizes, part, start);
}

static struct body structs(long bytes) {
  struct body body = {MPI_DATATYPE_NULL, (int)(bytes / 12), 0};
  const int lengths[] = {1, 1};
  const MPI_Aint displacements[] = {0, 8};
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype members;
  MPI_Type_create_struct(2, lengths, displacements, types, &members);
  MPI_Type_create_resized(members, 0, 24, &body.type);
  MPI_Type_free(&members);
  body.span = (size_t)body.count * 24;
  return body;
}

static struct body rows(long bytes) {
  struct body body = {MPI_DATATYPE_NULL, 1, 0};
  const int n = bytes < 4096 ? 1 : (int)(bytes / 4096);
  MPI_Type_vector(n, 512, 1024, MPI_DOUBLE, &body.type);
  body.span = (size_t)n * 8192;
  return body;
}

static struct body whole(long bytes) {
  struct body body = {MPI_DATATYPE_NULL, 1, (size_t)bytes};
  MPI_Type_contiguous((int)bytes, MPI_BYTE, &body.type);
  return body;
}

static const struct {
  const char* name;
  struct body (*make)(long bytes);
} shapes[] = {{"column", column},  {"face", face}, {"side", side},
              {"struct", structs}, {"rows", rows}, {"whole", whole}};

/* Seconds for one message: half of the mean of `times` ping-pongs. */
static double exchange(int rank, void* buffer, const struct body* body, int times) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < times; i++) {
    if (rank == 0) MPI_Send(buffer, body->count, body->type, 1, 0, MPI_COMM_WORLD);
    if (rank <= 1) MPI_Recv(buffer, body->count, body->type, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(buffer, body->count, body->type, 0, 0, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - start) / times / 2;
}

/* Whether rank 1 has received exactly the data of rank 0, which are bytes of 1, and its gaps still are bytes of 2. */
static int is_as_sent(const char* buffer, const struct body* body, int data) {
  size_t ones = 0, twos = 0;
  for (size_t i = 0; i < body->span; i++) ones += buffer[i] == 1, twos += buffer[i] == 2;
  int packed_bytes, position = 0, packed_ones = 0;
  MPI_Pack_size(body->count, body->type, MPI_COMM_WORLD, &packed_bytes);
  char* packed = malloc((size_t)packed_bytes);
  MPI_Pack(buffer, body->count, body->type, packed, packed_bytes, &position, MPI_COMM_WORLD);
  for (int i = 0; i < position; i++) packed_ones += packed[i] == 1;
  free(packed);
  return packed_ones == data && ones == (size_t)data && ones + twos == body->span;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long bytes = argc > 2 ? atol(argv[2]) : 0;
  const double seconds = argc > 3 ? atof(argv[3]) : 0.2;
  const int allocated = argc > 4 && strcmp(argv[4], "alloc") == 0;
  struct body body = {MPI_DATATYPE_NULL, 0, 0};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (argc > 2 && strcmp(argv[1], shapes[i].name) == 0) body = shapes[i].make(bytes);
  if (body.type == MPI_DATATYPE_NULL || bytes < 16 || size < 2) {
    if (rank == 0)
      fprintf(stderr,
              "usage, on 2 ranks: noncontiguous column|face|side|struct|rows|whole BYTES [SECONDS [alloc]]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Type_commit(&body.type);
  int data;
  MPI_Type_size(body.type, &data);
  data *= body.count;
  void* buffer = NULL;
  if (allocated)
    MPI_Alloc_mem((MPI_Aint)body.span, MPI_INFO_NULL, &buffer);
  else
    buffer = malloc(body.span);
  memset(buffer, rank + 1, body.span);

  /* Doubles the exchanges in a round until it takes 5 ms, then measures rounds for SECONDS; rank 0 decides. */
  double best = 0, started = MPI_Wtime();
  int times = 1, rounds = 0, more = 1;
  while (more) {
    const double mean = exchange(rank, buffer, &body, times);
    if (mean * times < 0.005 && times < 1 << 20) {
      started = MPI_Wtime();
      rounds = 0;
    } else {
      best = rounds == 0 || mean < best ? mean : best;
      rounds++;
    }
    int next[2] = {rounds == 0 ? 2 * times : times, rounds < 3 || MPI_Wtime() - started < seconds};
    MPI_Bcast(next, 2, MPI_INT, 0, MPI_COMM_WORLD);
    times = next[0];
    more = next[1];
  }
  if (rank == 1 && !is_as_sent(buffer, &body, data)) {
    fprintf(stderr, "noncontiguous: rank 1 has not what rank 0 sent\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (rank == 0) printf("%s %d %.3f us %.3f GB/s\n", argv[1], data, best * 1e6, data / best * 1e-9);

  if (allocated)
    MPI_Free_mem(buffer);
  else
    free(buffer);
  MPI_Type_free(&body.type);
  MPI_Finalize();
  return 0;
}
