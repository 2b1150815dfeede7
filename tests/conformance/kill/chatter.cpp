// chatter SECONDS: ranks that do a bit of everything for about that long, so that a kill meets them sending,
// receiving, asleep, in a collective, starting or ending.
#include <mpi.h>

#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1;
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const double end = MPI_Wtime() + seconds;
  constexpr int kSizes[] = {1, 1000, 50'000, 2'000'000};  // eager, in several packets, and rendezvous
  std::vector<char> out(2'000'000), in(2'000'000);
  for (int round = 0, go_on = 1; go_on != 0; ++round) {
    const int bytes = kSizes[round % 4];
    MPI_Request requests[2];
    MPI_Irecv(in.data(), bytes, MPI_BYTE, (rank + size - 1) % size, round % 10, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out.data(), bytes, MPI_BYTE, (rank + 1) % size, round % 10, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Bcast(out.data(), bytes, MPI_BYTE, 0, half);
    MPI_Comm_free(&half);
    go_on = MPI_Wtime() < end ? 1 : 0;
    MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
