/* Measures the synchronization of windows among many ranks. Plain MPI, so that any library can run it:
 *   mpicc -O2 windows.c -o windows && mpiexec -n 8 ./windows ring 8 0.2
 * The arguments are the case, a number of bytes, and about how many seconds to measure.
 *     ring: each rank posts for its left neighbour, starts for its right one, puts the bytes there, completes and
 *           waits; prints microseconds for one such turn
 *     lock: each rank repeatedly locks rank 0 exclusively, and increments a number there with a get and a put of the
 *           bytes, of which the number is the first eight; prints microseconds for one turn of one rank
 * Checks the data of each put in ring, and the number at the end of lock. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, bytes;
static long* memory; /* of the window */
static long* mine;
static MPI_Win window;

static void turns_of_a_ring(int turns) {
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  MPI_Group all, origin, target;
  MPI_Win_get_group(window, &all);
  MPI_Group_incl(all, 1, &left, &origin);
  MPI_Group_incl(all, 1, &right, &target);
  for (int turn = 1; turn <= turns; ++turn) {
    mine[0] = turn;
    MPI_Win_post(origin, 0, window);
    MPI_Win_start(target, 0, window);
    MPI_Put(mine, bytes, MPI_BYTE, right, 0, bytes, MPI_BYTE, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    if (memory[0] != turn) {
      fprintf(stderr, "windows: turn %d brought %ld\n", turn, memory[0]);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  MPI_Group_free(&target);
  MPI_Group_free(&origin);
  MPI_Group_free(&all);
}

static void turns_with_a_lock(int turns) {
  for (int turn = 0; turn < turns; ++turn) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(mine, bytes, MPI_BYTE, 0, 0, bytes, MPI_BYTE, window);
    MPI_Win_flush(0, window);
    ++mine[0];
    MPI_Put(mine, bytes, MPI_BYTE, 0, 0, bytes, MPI_BYTE, window);
    MPI_Win_unlock(0, window);
  }
}

static double seconds_of(void (*turns_of)(int), int turns) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  turns_of(turns);
  MPI_Barrier(MPI_COMM_WORLD);
  double mine_took = MPI_Wtime() - start, longest;
  MPI_Allreduce(&mine_took, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int is_ring = argc > 1 && strcmp(argv[1], "ring") == 0;
  bytes = argc > 2 ? atoi(argv[2]) : 0;
  if (argc < 3 || (!is_ring && strcmp(argv[1], "lock") != 0) || bytes < (int)sizeof(long)) {
    if (rank == 0) fprintf(stderr, "usage: windows ring|lock BYTES [SECONDS], of 8 bytes and more\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const double seconds = argc > 3 ? atof(argv[3]) : 0.2;
  MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  mine = calloc(1, (size_t)bytes);
  memset(memory, 0, (size_t)bytes);
  void (*const turns_of)(int) = is_ring ? turns_of_a_ring : turns_with_a_lock;
  long all_turns = 0;
  int turns = 16;
  double took = seconds_of(turns_of, turns);
  all_turns += turns;
  turns = took > 0 && seconds / took * turns < 1e8 ? (int)(seconds / took * turns) + 1 : 16;
  took = seconds_of(turns_of, turns);
  all_turns += turns;
  if (rank == 0) {
    if (!is_ring && memory[0] != all_turns * ranks) {
      fprintf(stderr, "windows: the number is %ld after %ld turns\n", memory[0], all_turns * ranks);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    printf("%s %d %.3f us\n", argv[1], bytes, took / turns / (is_ring ? 1 : ranks) * 1e6);
  }
  MPI_Win_free(&window);
  free(mine);
  MPI_Finalize();
  return 0;
}
