// A great many communicators, one after the other and at the same time. Fewer where ranks have to take turns.
#include <unistd.h>

#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

int scaled(int count) { return size() <= sysconf(_SC_NPROCESSORS_ONLN) ? count : count / 50; }

void check_talks(MPI_Comm comm, int word) {
  const int to = (rank() + 1) % size(), from = (rank() + size() - 1) % size();
  int in = -1;
  MPI_Sendrecv(&word, 1, MPI_INT, to, 3, &in, 1, MPI_INT, from, 3, comm, MPI_STATUS_IGNORE);
  expect_equal(in, word, "the word");
}

void one_after_the_other() {
  for (int i = scaled(1'000'000); i > 0; --i) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (i % 5000 == 0) check_talks(comm, i);
    MPI_Comm_free(&comm);
  }
}

void at_the_same_time() {
  std::vector<MPI_Comm> comms(static_cast<std::size_t>(scaled(100'000)));
  for (MPI_Comm& comm : comms) {
    const int error = MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (error != MPI_SUCCESS) return expect_error(error, MPI_SUCCESS, "a duplication");
  }
  for (std::size_t i = 0; i < comms.size(); i += 500) check_talks(comms[i], static_cast<int>(i));
  // Each rank in its own order.
  for (std::size_t i = 0; i < comms.size(); ++i) MPI_Comm_free(&comms[rank() % 2 ? comms.size() - 1 - i : i]);
}

// Each from the one before, which is freed at once.
void a_long_line() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = scaled(100'000); i > 0; --i) {
    MPI_Comm next;
    if (i % 2)
      MPI_Comm_split(comm, 0, rank(), &next);
    else
      MPI_Comm_dup(comm, &next);
    MPI_Comm_free(&comm);
    comm = next;
  }
  check_talks(comm, 1);
  MPI_Comm_free(&comm);
}

}  // namespace

int main() {
  return run({{"one after the other", one_after_the_other},
              {"at the same time", at_the_same_time},
              {"each from the one before", a_long_line}});
}
