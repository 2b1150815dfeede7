// MPI_Cancel and MPI_Test_cancelled: MPI 5.0, 3.8.4.
#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 3;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

bool cancelled(const MPI_Status& status) {
  int flag = -1;
  expect_error(MPI_Test_cancelled(&status, &flag), MPI_SUCCESS, "MPI_Test_cancelled");
  return flag != 0;
}

// With any mixture of wildcards, and again and again, since requests are used again.
void a_receive_without_a_message_is_cancelled() {
  for (int round = 0; round < 50; ++round) {
    int in = -1;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, round % 2 == 0 ? previous() : MPI_ANY_SOURCE, round % 3 == 0 ? MPI_ANY_TAG : kTag,
              MPI_COMM_WORLD, &request);
    expect_error(MPI_Cancel(&request), MPI_SUCCESS, "MPI_Cancel");
    MPI_Status status;
    expect_error(MPI_Wait(&request, &status), MPI_SUCCESS, "MPI_Wait");
    expect(cancelled(status), "the receive is not cancelled");
    expect(request == MPI_REQUEST_NULL, "the request lives on");
    MPI_Barrier(MPI_COMM_WORLD);  // nobody's message of below meets a receive that is not cancelled yet
    const int out = rank() + round;
    MPI_Sendrecv(&out, 1, MPI_INT, next(), kTag, &in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &status);
    expect_equal(in, previous() + round, "what a later receive got");
    expect(!cancelled(status), "a later receive is cancelled");
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

// Of several the one that is cancelled gets nothing, the others get what they would have.
void others_are_served_in_order() {
  int in[3] = {-1, -1, -1};
  MPI_Request requests[3];
  for (int i = 0; i < 3; ++i) MPI_Irecv(&in[i], 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &requests[i]);
  MPI_Cancel(&requests[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const int number : {10, 20}) MPI_Send(&number, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD);
  MPI_Status statuses[3];
  MPI_Waitall(3, requests, statuses);
  for (int i = 0; i < 3; ++i) expect(cancelled(statuses[i]) == (i == 1), "the wrong receive is cancelled");
  expect_equal(in[0], 10, "what the first got");
  expect_equal(in[1], -1, "what the cancelled one got");
  expect_equal(in[2], 20, "what the last got");
}

void a_receive_that_has_its_message_is_not_cancelled() {
  for (const int bytes : kSizes) {
    const Message out = message(bytes, rank(), 0);
    Message in(out.size());
    MPI_Request sent, received;
    MPI_Isend(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &sent);
    MPI_Probe(previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(in.data(), bytes, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, &received);
    expect_error(MPI_Cancel(&received), MPI_SUCCESS, "MPI_Cancel");
    MPI_Status status;
    MPI_Wait(&received, &status);
    expect(!cancelled(status), "a message is lost");
    expect_status(status, previous(), kTag, bytes);
    expect(in == message(bytes, previous(), 0), "wrong content");
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  }
}

// Long, synchronous and persistent ones, which nobody receives.
void a_send_that_nobody_receives_is_cancelled() {
  const auto cancelled_send = [](MPI_Request& request) {
    MPI_Status status;
    expect_error(MPI_Cancel(&request), MPI_SUCCESS, "MPI_Cancel");
    expect_error(MPI_Wait(&request, &status), MPI_SUCCESS, "MPI_Wait");
    expect(cancelled(status), "a send that nobody receives is not cancelled");
  };
  for (int round = 0; round < 20; ++round)
    for (const int bytes : {8, 5000, kLongest}) {
      const Message out = message(bytes, rank(), 0);
      MPI_Request request;
      MPI_Issend(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &request);
      cancelled_send(request);
    }
  const Message out = message(kLongest, rank(), 0);
  MPI_Request persistent;
  MPI_Send_init(out.data(), kLongest, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &persistent);
  for (int round = 0; round < 3; ++round) {
    MPI_Start(&persistent);
    cancelled_send(persistent);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int flag = 1;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  expect_equal(flag, 0, "whether a cancelled message can be found");
  MPI_Barrier(MPI_COMM_WORLD);
  // And then one that is received.
  Message in(out.size());
  MPI_Start(&persistent);
  MPI_Recv(in.data(), kLongest, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&persistent, MPI_STATUS_IGNORE);
  expect(in == message(kLongest, previous(), 0), "wrong content");
  MPI_Request_free(&persistent);
}

// The receiver has taken it by then.
void a_send_that_has_its_receive_is_not_cancelled() {
  for (const int bytes : kSizes)
    for (const auto start : {MPI_Isend, MPI_Issend}) {
      const Message out = message(bytes, rank(), 0);
      Message in(out.size());
      MPI_Request request;
      MPI_Request receive;
      MPI_Irecv(in.data(), bytes, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, &receive);
      MPI_Barrier(MPI_COMM_WORLD);
      start(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &request);
      expect_error(MPI_Cancel(&request), MPI_SUCCESS, "MPI_Cancel");
      MPI_Status status;
      MPI_Wait(&request, &status);
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
      expect(!cancelled(status), "a send is cancelled");
      expect(in == message(bytes, previous(), 0), "wrong content");
    }
}

// It can be started again afterwards.
void a_persistent_receive_is_cancelled_once() {
  int in = -1;
  MPI_Request request;
  MPI_Recv_init(&in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &request);
  expect_error(MPI_Cancel(&request), MPI_ERR_REQUEST, "MPI_Cancel of an inactive request");
  MPI_Start(&request);
  MPI_Cancel(&request);
  MPI_Status status;
  MPI_Wait(&request, &status);
  expect(cancelled(status), "the receive is not cancelled");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Start(&request);
  const int out = rank();
  MPI_Send(&out, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  expect(!cancelled(status), "the second receive is cancelled, too");
  expect_equal(in, previous(), "what the second receive got");
  MPI_Request_free(&request);
}

void there_must_be_something_to_cancel() {
  MPI_Request request = MPI_REQUEST_NULL;
  expect_error(MPI_Cancel(&request), MPI_ERR_REQUEST, "MPI_Cancel of MPI_REQUEST_NULL");
  MPI_Comm comm;
  MPI_Comm_idup(MPI_COMM_SELF, &comm, &request);
  expect_error(MPI_Cancel(&request), MPI_ERR_REQUEST, "MPI_Cancel of a collective operation");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
}

}  // namespace

int main() {
  return run({{"a receive without a message is cancelled", a_receive_without_a_message_is_cancelled},
              {"others are served in order", others_are_served_in_order},
              {"a receive that has its message is not cancelled", a_receive_that_has_its_message_is_not_cancelled},
              {"a send that nobody receives is cancelled", a_send_that_nobody_receives_is_cancelled},
              {"a send that has its receive is not cancelled", a_send_that_has_its_receive_is_not_cancelled},
              {"a persistent receive is cancelled once", a_persistent_receive_is_cancelled_once},
              {"there must be something to cancel", there_must_be_something_to_cancel}});
}
