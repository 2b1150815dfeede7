// A hash table whose slots are distributed over all ranks. All ranks count random keys in it at the same time,
// without messages: MPI_Compare_and_swap claims a slot for a key, and MPI_Fetch_and_op increments its count. Rank 0
// keeps the most frequent key and its count. These two words must change together, so a rank locks them to change
// them. At the end each rank checks its own slots, and rank 0 prints the number of keys and draws in each rank's
// slots.
//
//   mpicc hash_table.c -o hash_table && mpiexec -n 4 ./hash_table
//
// Shows windows, atomic operations on them, and locks.
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { slots_each = 1024, keys_all = 300, draws_each = 4000 };

typedef struct {
  int64_t key;  // 0: the slot is free
  int64_t count;
} slot;

// Rank 0 has this in a window of its own.
typedef struct {
  int64_t key, count;
} record;

static uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

// The key of a draw. Small keys are more frequent.
static int64_t draw(int rank, int i) {
  uint64_t random = mixed((uint64_t)rank * draws_each + (uint64_t)i + 1);
  int64_t one = (int64_t)(random % keys_all), other = (int64_t)(random / keys_all % keys_all);
  return 1 + (one < other ? one : other);
}

// Increments the key's count and returns the new count.
static int64_t count_key(MPI_Win win, int size, int64_t key) {
  const int64_t free_key = 0, one = 1;
  for (uint64_t place = mixed((uint64_t)key);; ++place) {
    int owner = (int)(place / slots_each % (uint64_t)size);
    MPI_Aint at = (MPI_Aint)(place % slots_each) * (MPI_Aint)sizeof(slot);
    int64_t found;
    MPI_Compare_and_swap(&key, &free_key, &found, MPI_INT64_T, owner, at, win);
    MPI_Win_flush(owner, win);
    if (found != free_key && found != key) continue;  // the slot has another key: try the next one
    int64_t before;
    MPI_Fetch_and_op(&one, &before, MPI_INT64_T, owner, at + (MPI_Aint)offsetof(slot, count), MPI_SUM, win);
    MPI_Win_flush(owner, win);
    return before + 1;
  }
}

// Changes both words together, if the count is higher than that of the current record.
static void improve_record(MPI_Win win, int64_t key, int64_t count) {
  record best, mine = {key, count};
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Get(&best, 2, MPI_INT64_T, 0, 0, 2, MPI_INT64_T, win);
  MPI_Win_flush(0, win);
  if (count > best.count) MPI_Put(&mine, 2, MPI_INT64_T, 0, 0, 2, MPI_INT64_T, win);
  MPI_Win_unlock(0, win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  slot* slots;
  record* best;
  MPI_Win table, record_win;
  MPI_Win_allocate(slots_each * sizeof(slot), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &slots, &table);
  MPI_Win_allocate(rank == 0 ? sizeof(record) : 0, sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &best,
                   &record_win);
  for (int i = 0; i < slots_each; ++i) slots[i] = (slot){0, 0};
  if (rank == 0) *best = (record){0, 0};
  MPI_Barrier(MPI_COMM_WORLD);  // No rank may count before all slots are initialized.

  double start = MPI_Wtime();
  MPI_Win_lock_all(0, table);
  int64_t seen = 0;  // the highest count that this rank has reported
  for (int i = 0; i < draws_each; ++i) {
    int64_t key = draw(rank, i), count = count_key(table, size, key);
    if (count > seen) improve_record(record_win, key, seen = count);
  }
  MPI_Win_unlock_all(table);
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - start;

  // Each rank computes the expected count of each key from the draws of all ranks.
  int64_t* expected = calloc(keys_all + 1, sizeof *expected);
  for (int other = 0; other < size; ++other)
    for (int i = 0; i < draws_each; ++i) ++expected[draw(other, i)];
  int64_t most = 0;
  struct {
    int64_t used, counted, wrong;
  } mine = {0, 0, 0}, *ranks = malloc(sizeof *ranks * (size_t)size);
  for (int key = 1; key <= keys_all; ++key) most = expected[key] > most ? expected[key] : most;
  for (int i = 0; i < slots_each; ++i) {
    mine.used += slots[i].key != 0;
    mine.counted += slots[i].count;
    mine.wrong += slots[i].key != 0 && slots[i].count != expected[slots[i].key];
  }
  free(expected);
  MPI_Gather(&mine, 3, MPI_INT64_T, ranks, 3, MPI_INT64_T, 0, MPI_COMM_WORLD);
  int status = 0;
  if (rank == 0) {
    int64_t all = 0, wrong = 0;
    printf("slots of rank   in use   draws counted there\n");
    for (int i = 0; i < size; ++i) {
      printf("%13d %8lld %21lld\n", i, (long long)ranks[i].used, (long long)ranks[i].counted);
      all += ranks[i].counted;
      wrong += ranks[i].wrong;
    }
    int right = wrong == 0 && all == (int64_t)size * draws_each && best->count == most;
    status = right ? 0 : 1;
    printf("%lld draws counted by %d ranks, %lld wrong slots, key %lld came %lld times: %s\n", (long long)all, size,
           (long long)wrong, (long long)best->key, (long long)best->count, right ? "right" : "WRONG");
    printf("%.2f microseconds a draw\n", seconds * 1e6 / draws_each);
  }
  free(ranks);
  MPI_Win_free(&record_win);
  MPI_Win_free(&table);
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}
