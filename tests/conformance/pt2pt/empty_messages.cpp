// Messages without data are messages: they match, keep their order, and have a status. MPI 5.0, 3.2.2.
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 5;
constexpr int kUntouched = 42;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

void need_no_buffer() {
  MPI_Request request;
  MPI_Irecv(nullptr, 0, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &request);
  expect_error(MPI_Send(nullptr, 0, MPI_INT, next(), kTag, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Send");
  MPI_Status status;
  MPI_Wait(&request, &status);
  expect_status(status, previous(), kTag, 0);
}

void leave_a_longer_buffer_alone() {
  int value = kUntouched;
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &request);
  MPI_Send(nullptr, 0, MPI_DOUBLE, next(), kTag, MPI_COMM_WORLD);
  MPI_Status status;
  MPI_Wait(&request, &status);
  expect_status(status, previous(), kTag, 0);
  expect_equal(value, kUntouched, "the buffer");
}

void are_synchronous_too() {
  MPI_Request request;
  MPI_Irecv(nullptr, 0, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, &request);
  expect_error(MPI_Ssend(nullptr, 0, MPI_BYTE, next(), kTag, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Ssend");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void do_not_fit_into_none_when_they_have_data() {
  const int value = 1;
  MPI_Request sent;
  MPI_Isend(&value, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD, &sent);
  expect_error(MPI_Recv(nullptr, 0, MPI_INT, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE,
               "MPI_Recv of one number into nothing");
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

// Every rank to every rank, itself included.
void go_everywhere() {
  std::vector<MPI_Request> requests;
  for (int peer = 0; peer < size(); ++peer) {
    requests.emplace_back();
    MPI_Irecv(nullptr, 0, MPI_INT, peer, peer, MPI_COMM_WORLD, &requests.back());
    requests.emplace_back();
    MPI_Isend(nullptr, 0, MPI_INT, peer, rank(), MPI_COMM_WORLD, &requests.back());
  }
  expect_error(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS,
               "MPI_Waitall");
}

void stand_between_others() {
  constexpr int kRounds = 50;
  for (int i = 0; i < kRounds; ++i) {
    MPI_Request requests[2];
    MPI_Isend(&i, i % 2, MPI_INT, next(), kTag, MPI_COMM_WORLD, &requests[0]);
    int got = kUntouched;
    MPI_Irecv(&got, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect_equal(got, i % 2 == 0 ? kUntouched : i, "what came");
  }
}

}  // namespace

int main() {
  return run({{"need no buffer", need_no_buffer},
              {"leave a longer buffer alone", leave_a_longer_buffer_alone},
              {"are synchronous too", are_synchronous_too},
              {"do not fit into none when they have data", do_not_fit_into_none_when_they_have_data},
              {"go everywhere", go_everywhere},
              {"stand between others", stand_between_others}});
}
