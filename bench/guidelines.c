// Checks whether collectives follow the guidelines of Träff, Gropp and Thakur ("Self-consistent MPI performance
// guidelines", 2010): a call must not be slower than other calls with the same effect. Prints for each pair of calls
// and each size the least time of each over the rounds, measured in turn, and their ratio. A guideline does not hold
// if the first call took longer by more than a tenth.
//
//   mpiexec -n 4 guidelines [seconds a time, 0.02] [rounds, 5] [largest bytes, 1048576]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ranks, rank;
static char *from, *to, *between;
static int *counts, *starts;

// An operation on `bytes` bytes: the length of a vector, or of each rank's block.
typedef void Act(int bytes);
#define ALL MPI_COMM_WORLD
#define ACT(name, ...)          \
  static void name(int bytes) { \
    (void)bytes;                \
    __VA_ARGS__;                \
  }

ACT(barrier, MPI_Barrier(ALL))
ACT(bcast, MPI_Bcast(to, bytes, MPI_BYTE, 0, ALL))
ACT(reduce, MPI_Reduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, ALL))
ACT(allreduce, MPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, ALL))
ACT(gather, MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, ALL))
ACT(scatter, MPI_Scatter(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, ALL))
ACT(allgather, MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, ALL))
ACT(alltoall, MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, ALL))
ACT(gatherv, MPI_Gatherv(from, bytes, MPI_BYTE, to, counts, starts, MPI_BYTE, 0, ALL))
ACT(scatterv, MPI_Scatterv(from, counts, starts, MPI_BYTE, to, bytes, MPI_BYTE, 0, ALL))
ACT(allgatherv, MPI_Allgatherv(from, bytes, MPI_BYTE, to, counts, starts, MPI_BYTE, ALL))
ACT(alltoallv, MPI_Alltoallv(from, counts, starts, MPI_BYTE, to, counts, starts, MPI_BYTE, ALL))
ACT(reduce_scatter, MPI_Reduce_scatter_block(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, ALL))
ACT(scan, MPI_Scan(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, ALL))
ACT(exscan, MPI_Exscan(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, ALL))
ACT(allreduce_of_one, MPI_Allreduce(from, to, 1, MPI_CHAR, MPI_BOR, ALL))
ACT(reduce_bcast, reduce(bytes); MPI_Bcast(to, bytes, MPI_BYTE, 0, ALL))
ACT(scatter_allgather, scatter(bytes / ranks);
    MPI_Allgather(from, bytes / ranks, MPI_BYTE, to, bytes / ranks, MPI_BYTE, ALL))
ACT(gather_bcast, gather(bytes); MPI_Bcast(to, bytes* ranks, MPI_BYTE, 0, ALL))
ACT(bcast_of_all, MPI_Bcast(from, bytes* ranks, MPI_BYTE, 0, ALL))
ACT(reduce_then_scatter, MPI_Reduce(from, between, bytes / 8 * ranks, MPI_DOUBLE, MPI_SUM, 0, ALL);
    MPI_Scatter(between, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, ALL))
ACT(reduce_scatter_allgather, reduce_scatter(bytes / ranks);
    MPI_Allgather(from, bytes / ranks, MPI_BYTE, to, bytes / ranks, MPI_BYTE, ALL))
ACT(scan_by_exscan, exscan(bytes); MPI_Reduce_local(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM))
ACT(twice_as_much_bcast, bcast(2 * bytes))
ACT(twice_as_much_allreduce, allreduce(2 * bytes))
ACT(twice_as_much_allgather, allgather(2 * bytes))
ACT(twice_as_much_alltoall, alltoall(2 * bytes))

static const struct {
  const char* name;
  Act *act, *other;
} pairs[] = {{"barrier <= allreduce of a byte", barrier, allreduce_of_one},
             {"allreduce <= reduce + bcast", allreduce, reduce_bcast},
             {"allreduce <= reduce_scatter_block + allgather", allreduce, reduce_scatter_allgather},
             {"reduce <= allreduce", reduce, allreduce},
             {"bcast <= scatter + allgather", bcast, scatter_allgather},
             {"gather <= gatherv", gather, gatherv},
             {"gather <= allgather", gather, allgather},
             {"scatter <= scatterv", scatter, scatterv},
             {"scatter <= bcast of all blocks", scatter, bcast_of_all},
             {"allgather <= allgatherv", allgather, allgatherv},
             {"allgather <= gather + bcast", allgather, gather_bcast},
             {"allgather <= alltoall", allgather, alltoall},
             {"alltoall <= alltoallv", alltoall, alltoallv},
             {"reduce_scatter_block <= reduce + scatter", reduce_scatter, reduce_then_scatter},
             {"scan <= exscan + reduce_local", scan, scan_by_exscan},
             {"bcast <= of twice as much", bcast, twice_as_much_bcast},
             {"allreduce <= of twice as much", allreduce, twice_as_much_allreduce},
             {"allgather <= of twice as much", allgather, twice_as_much_allgather},
             {"alltoall <= of twice as much", alltoall, twice_as_much_alltoall}};

// The time of one call of the slowest rank, in us. A barrier before each call lets no rank start before all have
// ended the last.
static double time_of(Act* act, int bytes, int calls) {
  double mine = 0, slowest = 0;
  for (int i = 0; i < calls; i++) {
    MPI_Barrier(ALL);
    const double begun = MPI_Wtime();
    act(bytes);
    mine += MPI_Wtime() - begun;
  }
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, ALL);
  return slowest / calls * 1e6;
}

static double least(double a, double b) { return a < b ? a : b; }

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 0.02;
  const int rounds = argc > 2 ? atoi(argv[2]) : 5, largest = argc > 3 ? atoi(argv[3]) : 1 << 20;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(ALL, &rank);
  MPI_Comm_size(ALL, &ranks);
  const size_t most = 2 * (size_t)largest * (size_t)ranks;
  from = calloc(most, 1), to = calloc(most, 1), between = calloc(most, 1);
  counts = calloc((size_t)ranks, sizeof *counts), starts = calloc((size_t)ranks, sizeof *starts);
  if (!from || !to || !between || !counts || !starts) MPI_Abort(ALL, 1);
  int broken = 0, all = 0;
  for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
    for (int bytes = 64; bytes <= largest; bytes *= 16) {
      for (int r = 0; r < ranks; r++) counts[r] = bytes, starts[r] = r * bytes;
      double one = 1e30, other = 1e30;
      const double first = time_of(pairs[p].act, bytes, 1);
      int calls = (int)(seconds * 1e6 / (first + 1)) + 1;
      MPI_Bcast(&calls, 1, MPI_INT, 0, ALL);
      for (int round = 0; round < rounds; round++) {
        one = least(one, time_of(pairs[p].act, bytes, calls));
        other = least(other, time_of(pairs[p].other, bytes, calls));
      }
      const int holds = one <= 1.1 * other;
      broken += !holds, all++;
      if (rank == 0)
        printf("%-46s %8d bytes %10.2f us %10.2f us %6.2f%s\n", pairs[p].name, bytes, one, other, one / other,
               holds ? "" : "  does not hold");
      if (pairs[p].act == barrier) break;
    }
  if (rank == 0) printf("%d of %d hold, with %d ranks\n", all - broken, all, ranks);
  free(from), free(to), free(between), free(counts), free(starts);
  return MPI_Finalize();
}
