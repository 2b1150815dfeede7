#include "support/ranks.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace conformance {

namespace {

struct State {
  int rank = 0, size = 0;
  bool on_one_node = true;
  const char* test = "";
  std::atomic<int> failures = 0;
};
State state;

bool find_out_whether_on_one_node() {
  MPI_Comm node;
  int size = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &size);
  MPI_Comm_free(&node);
  return size == state.size;
}

constexpr int kShown = 10;  // failures of one rank that are printed

}  // namespace

int failures() { return state.failures; }
int rank() { return state.rank; }
int size() { return state.size; }
bool on_one_node() { return state.on_one_node; }
bool is_simulated() { return std::getenv("SIM_RUN") != nullptr; }

int run(std::initializer_list<Test> tests, int thread_level) {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, thread_level, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &state.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &state.size);
  expect(provided >= thread_level, "the thread level is lower than asked for");
  state.on_one_node = find_out_whether_on_one_node();
  bool ran = false;
  for (const Test& test : tests) {
    if (size() < test.ranks.least || size() > test.ranks.most || (test.ranks.one_node && !on_one_node())) continue;
    ran = true;
    state.test = test.name;
    test.body();
    MPI_Barrier(MPI_COMM_WORLD);  // so that no test sees messages of the one before
  }
  expect(ran, "none of the tests is for so many ranks");
  const bool failed = state.failures != 0;
  MPI_Finalize();
  return failed ? 1 : 0;
}

void fail(const std::string& what, const Where& where) {
  const int before = state.failures++;
  if (before < kShown)
    std::fprintf(stderr, "%s:%u: rank %d of %d: %s: %s\n", where.file, where.line, state.rank, state.size, state.test,
                 what.c_str());
}

std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

void expect_error(int returned, int error_class, const std::string& what, const Where& where) {
  int got = MPI_SUCCESS;
  if (returned != MPI_SUCCESS) MPI_Error_class(returned, &got);
  if (got != error_class) fail(what + " returns " + text_of(got) + " instead of " + text_of(error_class), where);
}

void expect_status(const MPI_Status& status, int source, int tag, int bytes, const Where& where) {
  int got = -1;
  MPI_Get_count(&status, MPI_BYTE, &got);
  expect_equal(status.MPI_SOURCE, source, "the status's source", where);
  expect_equal(status.MPI_TAG, tag, "the status's tag", where);
  expect_equal(got, bytes, "the number of bytes received", where);
}

void expect_from_nobody(const MPI_Status& status, const Where& where) {
  expect_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, where);
}

void expect_empty(const MPI_Status& status, const Where& where) {
  expect_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, where);
  expect_equal(status.MPI_ERROR, MPI_SUCCESS, "the status's error", where);
}

}  // namespace conformance
