// What the programs of this folder share. A program is a list of tests that all ranks of MPI_COMM_WORLD run one after
// the other. An expectation that does not hold says where and on which rank; the program goes on and exits with 1.
// MPI_COMM_WORLD's errors return, so that tests can look at them.
#pragma once

#include <mpi.h>

#include <climits>
#include <initializer_list>
#include <sstream>
#include <string>

namespace conformance {

// std::source_location, which clang 14 does not have.
struct Where {
  const char* file;
  unsigned line;

  static Where current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) { return {file, line}; }
};

// With which ranks something can be tested.
struct Ranks {
  int least = 1, most = INT_MAX;
  bool one_node = false;  // since they share memory
};

struct Test {
  const char* name;  // a sentence
  void (*body)();
  Ranks ranks = {};
};

// Runs the tests that are for this number of ranks, between MPI_Init_thread and MPI_Finalize; what main() returns. It
// is a failure if there are none.
int run(std::initializer_list<Test> tests, int thread_level = MPI_THREAD_SINGLE);

[[nodiscard]] int rank();
[[nodiscard]] int size();
[[nodiscard]] bool on_one_node();

// Whether sim_run runs this. Packets may be as small as 32 bytes there, so what takes long may be shorter.
[[nodiscard]] bool is_simulated();

void fail(const std::string& what, const Where& where);

// How often something has failed on this rank so far.
[[nodiscard]] int failures();

inline void expect(bool holds, const std::string& what, const Where& where = Where::current()) {
  if (!holds) fail(what, where);
}

template <class Got, class Wanted>
void expect_equal(const Got& got, const Wanted& wanted, const std::string& what,
                  const Where& where = Where::current()) {
  if (got == wanted) return;
  std::ostringstream text;
  text << what << " is " << got << " instead of " << wanted;
  fail(text.str(), where);
}

// What MPI says about an error code or class.
[[nodiscard]] std::string text_of(int code);

// The class of what a call returned.
void expect_error(int returned, int error_class, const std::string& what, const Where& where = Where::current());

// All of what MPI_Status tells about a message of `bytes` bytes.
void expect_status(const MPI_Status& status, int source, int tag, int bytes, const Where& where = Where::current());

// The status of an operation with nobody, and of MPI_REQUEST_NULL.
void expect_from_nobody(const MPI_Status& status, const Where& where = Where::current());
void expect_empty(const MPI_Status& status, const Where& where = Where::current());

}  // namespace conformance
