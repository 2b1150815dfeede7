// MPI_Request_free and MPI_Comm_free end a handle; what was started goes on and ends as if nothing had happened:
// MPI 5.0, 3.7.3 and 7.4.3.
#include <vector>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 8, kThanks = 9;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

// The receiver says when it has the message, since nobody else can tell the sender.
void a_send_goes_on_when_its_request_is_freed() {
  for (const int bytes : kSizes)
    for (const auto start : {MPI_Isend, MPI_Issend}) {
      const Message out = message(bytes, rank(), 0);
      MPI_Request request;
      start(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &request);
      expect_error(MPI_Request_free(&request), MPI_SUCCESS, "MPI_Request_free");
      expect(request == MPI_REQUEST_NULL, "the handle lives on");
      Message in(out.size());
      MPI_Recv(in.data(), bytes, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      expect(in == message(bytes, previous(), 0), "wrong content");
      MPI_Sendrecv(nullptr, 0, MPI_BYTE, previous(), kThanks, nullptr, 0, MPI_BYTE, next(), kThanks, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    }
}

void a_receive_goes_on_when_its_request_is_freed() {
  const int ten = 10, twenty = 20;
  int first = -1, second = -1;
  MPI_Request request;
  MPI_Irecv(&first, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Send(&ten, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD);
  MPI_Sendrecv(&twenty, 1, MPI_INT, next(), kTag, &second, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  expect_equal(second, 20, "what the second receive got");
  int flag;
  while (first == -1)  // matched before the second, but nothing says that it is over before
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  expect_equal(first, 10, "what the freed receive got");
}

void a_freed_request_is_no_request_any_more() {
  MPI_Request request;
  static const int value = 1;  // nobody will tell when it has been sent
  MPI_Isend(&value, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD, &request);
  MPI_Request copy = request;
  MPI_Request_free(&request);
  expect_error(MPI_Request_free(&request), MPI_ERR_REQUEST, "MPI_Request_free of MPI_REQUEST_NULL");
  // A send that was over at once has one request for all such sends: it may be asked again.
  int flag = 0;
  if (MPI_Test(&copy, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS) expect(flag != 0, "a freed request is pending");
  int in = 0;
  MPI_Recv(&in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void operations_go_on_when_their_communicator_is_freed() {
  for (const int bytes : kSizes) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const Message out = message(bytes, rank(), 0);
    Message in(out.size());
    MPI_Request requests[2];
    MPI_Irecv(in.data(), bytes, MPI_BYTE, previous(), kTag, comm, &requests[0]);
    MPI_Isend(out.data(), bytes, MPI_BYTE, next(), kTag, comm, &requests[1]);
    expect_error(MPI_Comm_free(&comm), MPI_SUCCESS, "MPI_Comm_free");
    expect(comm == MPI_COMM_NULL, "the handle lives on");
    MPI_Status statuses[2];
    expect_error(MPI_Waitall(2, requests, statuses), MPI_SUCCESS, "MPI_Waitall");
    expect_status(statuses[0], previous(), kTag, bytes);
    expect(in == message(bytes, previous(), 0), "wrong content");
  }
}

// Messages still under way in a freed communicator must not be taken for those of one made later.
void a_later_communicator_has_messages_of_its_own() {
  constexpr int kRounds = 20;
  std::vector<int> in(kRounds, -1);
  std::vector<MPI_Request> requests(kRounds);
  for (int round = 0; round < kRounds; ++round) {
    const auto index = static_cast<std::size_t>(round);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(&in[index], 1, MPI_INT, previous(), kTag, comm, &requests[index]);
    if (round % 2 == 0) MPI_Send(&round, 1, MPI_INT, next(), kTag, comm);
    if (round % 2 == 1) {
      MPI_Request sent;
      MPI_Issend(&round, 1, MPI_INT, next(), kTag, comm, &sent);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
  }
  expect_error(MPI_Waitall(kRounds, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS, "MPI_Waitall");
  for (int round = 0; round < kRounds; ++round)
    expect_equal(in[static_cast<std::size_t>(round)], round, "what came in communicator " + std::to_string(round));
}

// The error is found after the communicator's handle has gone; its handler applies all the same.
void an_error_finds_the_handler_of_a_freed_communicator() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const int out[2] = {1, 2};
  int in = 0;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, previous(), kTag, comm, &request);
  MPI_Request sent;
  MPI_Isend(out, 2, MPI_INT, next(), kTag, comm, &sent);
  MPI_Comm_free(&comm);
  expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE, "MPI_Wait");
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

}  // namespace

int main() {
  return run(
      {{"a send goes on when its request is freed", a_send_goes_on_when_its_request_is_freed},
       {"a receive goes on when its request is freed", a_receive_goes_on_when_its_request_is_freed},
       {"a freed request is no request any more", a_freed_request_is_no_request_any_more},
       {"operations go on when their communicator is freed", operations_go_on_when_their_communicator_is_freed},
       {"a later communicator has messages of its own", a_later_communicator_has_messages_of_its_own},
       {"an error finds the handler of a freed communicator", an_error_finds_the_handler_of_a_freed_communicator}});
}
