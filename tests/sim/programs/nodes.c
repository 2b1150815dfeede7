// What ranks on several nodes see, for runner_test.py. The first argument is the number of nodes, over which ranks are
// dealt in blocks as equal as can be. Status 0 if all is as it should be.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, nodes, failures;

static int node_of(int of) { return of * nodes / size; }

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "%s\n", what);
  ++failures;
}

static void split_by_memory(void) {
  MPI_Comm here;
  int there, expected = 0, before = 0, mine = -1;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_size(here, &there);
  MPI_Comm_rank(here, &mine);
  for (int other = 0; other < size; ++other) {
    expected += node_of(other) == node_of(rank);
    before += node_of(other) == node_of(rank) && other < rank;
  }
  expect(there == expected, "MPI_COMM_TYPE_SHARED: not the ranks of this node");
  expect(mine == before, "MPI_COMM_TYPE_SHARED: another rank than by order");
  MPI_Comm_free(&here);
}

static void shared_window_of_a_node(void) {
  MPI_Comm here;
  MPI_Win window;
  int *mine, *first, on_node, unit, there;
  MPI_Aint bytes;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_rank(here, &on_node);
  MPI_Comm_size(here, &there);
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, here, &mine, &window);
  MPI_Win_fence(0, window);
  MPI_Win_shared_query(window, 0, &bytes, &unit, &first);
  first[on_node] = rank;
  MPI_Win_fence(0, window);
  expect(*mine == rank, "a shared window: my word is not where others find it");
  for (int i = 1; i < there; ++i) expect(first[i] == first[i - 1] + 1, "a shared window: another's word is missing");
  MPI_Win_free(&window);
  MPI_Comm_free(&here);
}

static void shared_window_of_all(void) {
  MPI_Win window = MPI_WIN_NULL;
  int* mine;
  int class = MPI_SUCCESS;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int code = MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
  if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
  expect(nodes == 1 ? code == MPI_SUCCESS : class == MPI_ERR_RMA_SHARED, "a window shared by several nodes");
  if (window != MPI_WIN_NULL) MPI_Win_free(&window);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

// Everybody puts a block to everybody, into memory that nodes can and cannot see.
static void put_to_all(void) {
  enum { kEach = 1000 };
  MPI_Win window;
  int* all;
  int* out = malloc(kEach * sizeof(int));
  MPI_Win_allocate((MPI_Aint)sizeof(int) * kEach * size, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &all, &window);
  for (int i = 0; i < kEach; ++i) out[i] = rank * kEach + i;
  MPI_Win_fence(0, window);
  for (int to = 0; to < size; ++to) MPI_Put(out, kEach, MPI_INT, to, rank * kEach, kEach, MPI_INT, window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < kEach * size; ++i)
    if (all[i] != i) {
      expect(0, "a word that was put is not there");
      break;
    }
  MPI_Win_free(&window);
  free(out);
}

static void messages(void) {
  for (int count = 1; count <= 30000; count *= 13) {
    int* out = malloc((size_t)count * sizeof(int));
    int* in = malloc((size_t)count * sizeof(int));
    for (int i = 0; i < count; ++i) out[i] = rank + i;
    for (int step = 0; step < size; ++step) {
      const int to = (rank + step) % size, from = (rank + size - step) % size;
      MPI_Sendrecv(out, count, MPI_INT, to, 1, in, count, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      expect(in[0] == from && in[count - 1] == from + count - 1, "a message has the wrong content");
    }
    free(out);
    free(in);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  nodes = atoi(argv[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  split_by_memory();
  shared_window_of_a_node();
  shared_window_of_all();
  put_to_all();
  messages();
  if (argc > 2 && !strcmp(argv[2], "hang"))
    MPI_Recv(&nodes, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return failures != 0;
}
