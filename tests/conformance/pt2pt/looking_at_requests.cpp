// The MPI_Request_get_status family says what MPI_Test and its kin would, and ends nothing: MPI 5.0, 3.7.6.
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 7;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

// Two receives, of which the second has its message, with MPI_REQUEST_NULL between them.
class TwoReceives {
 public:
  TwoReceives() {
    MPI_Irecv(&in_[0], 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &requests_[0]);
    MPI_Irecv(&in_[1], 1, MPI_INT, previous(), kTag + 1, MPI_COMM_WORLD, &requests_[2]);
    send(kTag + 1);
    for (int flag = 0; flag == 0;) MPI_Request_get_status(requests_[2], &flag, MPI_STATUS_IGNORE);
  }
  // When everybody has seen that it is missing.
  void send_the_other() {
    MPI_Barrier(MPI_COMM_WORLD);
    send(kTag);
  }
  ~TwoReceives() {
    MPI_Waitall(3, requests_, MPI_STATUSES_IGNORE);
    for (const int got : in_) expect_equal(got, previous(), "what came");
  }
  MPI_Request* data() { return requests_; }

 private:
  static void send(int tag) {
    const int out = rank();
    MPI_Send(&out, 1, MPI_INT, next(), tag, MPI_COMM_WORLD);
  }

  int in_[2] = {-1, -1};
  MPI_Request requests_[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

void one_request() {
  TwoReceives two;
  int flag = -1;
  MPI_Status status;
  for (int i = 0; i < 3; ++i) {  // as often as one likes
    expect_error(MPI_Request_get_status(two.data()[2], &flag, &status), MPI_SUCCESS, "MPI_Request_get_status");
    expect_equal(flag, 1, "the flag");
    expect_status(status, previous(), kTag + 1, sizeof(int));
  }
  expect(two.data()[2] != MPI_REQUEST_NULL, "the request is gone");
  MPI_Request_get_status(two.data()[0], &flag, &status);
  expect_equal(flag, 0, "the flag of the other");
  status.MPI_ERROR = -7;
  MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status);
  expect_equal(flag, 1, "the flag of MPI_REQUEST_NULL");
  expect_empty(status);
  two.send_the_other();
}

void all_of_them() {
  TwoReceives two;
  int flag = -1;
  MPI_Status statuses[3];
  MPI_Request_get_status_all(3, two.data(), &flag, statuses);
  expect_equal(flag, 0, "the flag while one is pending");
  two.send_the_other();
  while (flag == 0) MPI_Request_get_status_all(3, two.data(), &flag, statuses);
  expect_status(statuses[0], previous(), kTag, sizeof(int));
  expect_empty(statuses[1]);
  expect_status(statuses[2], previous(), kTag + 1, sizeof(int));
  MPI_Request_get_status_all(0, nullptr, &flag, MPI_STATUSES_IGNORE);
  expect_equal(flag, 1, "the flag of no requests");
}

void any_of_them() {
  TwoReceives two;
  int flag = -1, index = -1;
  MPI_Status status;
  MPI_Request_get_status_any(3, two.data(), &index, &flag, &status);
  expect_equal(flag, 1, "the flag");
  expect_equal(index, 2, "the index");
  expect_status(status, previous(), kTag + 1, sizeof(int));
  MPI_Request_get_status_any(1, two.data(), &index, &flag, &status);
  expect_equal(flag, 0, "the flag of one that is pending");
  status.MPI_ERROR = -7;
  MPI_Request_get_status_any(1, two.data() + 1, &index, &flag, &status);
  expect_equal(flag, 1, "the flag of MPI_REQUEST_NULL");
  expect_equal(index, MPI_UNDEFINED, "the index of MPI_REQUEST_NULL");
  expect_empty(status);
  two.send_the_other();
}

void some_of_them() {
  TwoReceives two;
  int count = -1, indices[3] = {-1, -1, -1};
  MPI_Status statuses[3];
  MPI_Request_get_status_some(3, two.data(), &count, indices, statuses);
  expect_equal(count, 1, "how many are done");
  expect_equal(indices[0], 2, "which is done");
  expect_status(statuses[0], previous(), kTag + 1, sizeof(int));
  MPI_Request_get_status_some(1, two.data(), &count, indices, statuses);
  expect_equal(count, 0, "how many of the pending are done");
  MPI_Request_get_status_some(1, two.data() + 1, &count, indices, statuses);
  expect_equal(count, MPI_UNDEFINED, "how many of none are done");
  two.send_the_other();
}

// Looking does not end the request, so the error is there for the one who waits, too.
void failures_are_told_again() {
  const int out[2] = {1, 2};
  int in = 0, flag = 0;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &request);
  MPI_Send(out, 2, MPI_INT, next(), kTag, MPI_COMM_WORLD);
  int returned = MPI_SUCCESS;
  while (flag == 0) returned = MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  expect_error(returned, MPI_ERR_TRUNCATE, "MPI_Request_get_status");
  MPI_Status status;
  expect_error(MPI_Request_get_status_all(1, &request, &flag, &status), MPI_ERR_IN_STATUS,
               "MPI_Request_get_status_all");
  expect_error(status.MPI_ERROR, MPI_ERR_TRUNCATE, "the status");
  expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE, "MPI_Wait");
}

}  // namespace

int main() {
  return run({{"one request", one_request},
              {"all of them", all_of_them},
              {"any of them", any_of_them},
              {"some of them", some_of_them},
              {"failures are told again", failures_are_told_again}});
}
