// A token is passed around the ring of ranks; each rank adds its number to it. Rank 0 checks the sum and prints how
// long one pass took.
//
//   mpicc ring.c -o ring && mpiexec -n 4 ./ring [laps]
//
// Shows blocking sends and receives, and why rank 0 posts its receive first: with a single rank it sends to itself,
// and MPI_Send may wait until the receive is posted.
#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { tag_token = 1 };

// Returns the number of laps asked for, or -1 if the text is not a positive number.
static int parse_laps(const char* text) {
  char* end;
  errno = 0;
  long laps = strtol(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' && laps > 0 && laps <= INT_MAX ? (int)laps : -1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);

  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  // All ranks have the same arguments, so all of them return here; rank 0 prints the reason.
  int laps = argc < 2 ? 1000 : parse_laps(argv[1]);
  if (laps < 0 || argc > 2) {
    if (rank == 0) fprintf(stderr, "usage: ring [laps]   laps: a positive number, 1000 when left out\n");
    MPI_Finalize();
    return 2;
  }

  int next = (rank + 1) % size;
  int previous = (rank + size - 1) % size;
  long long token = 0;

  MPI_Barrier(MPI_COMM_WORLD);  // All ranks are ready before rank 0 starts the clock.
  double start = MPI_Wtime();
  for (int lap = 0; lap < laps; ++lap) {
    if (rank == 0) {
      long long returned;
      MPI_Request request;
      MPI_Irecv(&returned, 1, MPI_LONG_LONG, previous, tag_token, MPI_COMM_WORLD, &request);
      MPI_Send(&token, 1, MPI_LONG_LONG, next, tag_token, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      token = returned;
    } else {
      MPI_Recv(&token, 1, MPI_LONG_LONG, previous, tag_token, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      token += rank;
      MPI_Send(&token, 1, MPI_LONG_LONG, next, tag_token, MPI_COMM_WORLD);
    }
  }
  double seconds = MPI_Wtime() - start;

  int status = 0;
  if (rank == 0) {
    long long expected = (long long)laps * size * (size - 1) / 2;
    status = token == expected ? 0 : 1;
    printf("%d laps round %d ranks: token %lld, expected %lld: %s\n", laps, size, token, expected,
           status == 0 ? "right" : "WRONG");
    printf("%.2f microseconds a hop\n", seconds * 1e6 / ((double)laps * size));
  }

  MPI_Finalize();
  return status;
}
