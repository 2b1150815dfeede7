// MPI_Comm_idup: progress without a blocking call, many at a time, in any order.
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

void check_works(MPI_Comm comm) {
  int sum = 0, members = 0;
  const int one = 1;
  MPI_Comm_size(comm, &members);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect_equal(sum, members, "the sum over the duplicate");
}

// Rank 0 duplicates last; until then the others must be able to go on.
void lets_others_go_on() {
  MPI_Comm dup;
  MPI_Request request;
  if (rank() == 0) {
    for (int other = 1; other < size(); ++other)
      MPI_Recv(nullptr, 0, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_idup(MPI_COMM_WORLD, &dup, &request);
  } else {
    MPI_Comm_idup(MPI_COMM_WORLD, &dup, &request);
    MPI_Ssend(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  int flag = 0;
  while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  check_works(dup);
  MPI_Comm_free(&dup);
}

void many_at_a_time() {
  constexpr int kMany = 50;
  std::vector<MPI_Comm> dups(kMany);
  std::vector<MPI_Request> requests(kMany);
  for (std::size_t i = 0; i < dups.size(); ++i) {
    MPI_Comm_idup(MPI_COMM_WORLD, &dups[i], &requests[i]);
    if (i % 10 == 0) MPI_Barrier(MPI_COMM_WORLD);  // blocking collectives overtake
  }
  for (std::size_t i = 0; i < requests.size(); ++i)
    MPI_Wait(&requests[rank() % 2 ? requests.size() - 1 - i : i], MPI_STATUS_IGNORE);
  for (MPI_Comm& dup : dups) {
    check_works(dup);
    MPI_Comm_free(&dup);
  }
}

// With blocking duplications this would hang: each rank is in two communicators and starts with another one.
void overlapping() {
  MPI_Comm right = MPI_COMM_NULL, left = MPI_COMM_NULL;
  for (int first = 0; first < size(); ++first) {
    MPI_Comm pair;
    const bool inside = rank() == first || rank() == (first + 1) % size();
    MPI_Comm_split(MPI_COMM_WORLD, inside ? 0 : MPI_UNDEFINED, 0, &pair);
    if (inside) (rank() == first ? right : left) = pair;
  }
  MPI_Comm dups[2];
  MPI_Request requests[2];
  MPI_Comm_idup(right, &dups[0], &requests[0]);
  MPI_Comm_idup(left, &dups[1], &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (MPI_Comm comm : {right, left, dups[0], dups[1]}) MPI_Comm_free(&comm);
}

int copies = 0;
int count_copies(MPI_Comm, int, void*, void* in, void* out, int* flag) {
  ++copies;
  *static_cast<void**>(out) = in;
  *flag = 1;
  return MPI_SUCCESS;
}

void keeps_what_was_set_at_the_call() {
  int keyval = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(count_copies, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
  static int before = 1, after = 2;
  MPI_Comm parent, dup;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Comm_set_attr(parent, keyval, &before);
  MPI_Request request;
  copies = 0;
  MPI_Comm_idup_with_info(parent, MPI_INFO_NULL, &dup, &request);
  expect_equal(copies, 1, "the number of copies at the call");
  MPI_Comm_set_attr(parent, keyval, &after);
  MPI_Comm_free(&parent);  // its duplication is under way
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int* value = nullptr;
  int flag = 0;
  MPI_Comm_get_attr(dup, keyval, &value, &flag);
  expect(flag && value == &before, "the duplicate has another attribute than its parent had");
  MPI_Comm_free(&dup);
  MPI_Comm_free_keyval(&keyval);
}

}  // namespace

int main() {
  return run({{"others go on while one has not begun", lets_others_go_on},
              {"many are under way at a time", many_at_a_time},
              {"overlapping ones do not wait for each other", overlapping, {.least = 3}},
              {"attributes are those of the time of the call", keeps_what_was_set_at_the_call}});
}
