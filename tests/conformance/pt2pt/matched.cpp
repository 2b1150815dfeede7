// Matched probes: who finds a message is the only one who can receive it: MPI 5.0, 3.8.2 and 3.8.3.
#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 4;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

MPI_Message matched(int source, int tag, MPI_Status* status, bool blocking) {
  MPI_Message found = MPI_MESSAGE_NULL;
  if (blocking) expect_error(MPI_Mprobe(source, tag, MPI_COMM_WORLD, &found, status), MPI_SUCCESS, "MPI_Mprobe");
  for (int flag = 0; !blocking && flag == 0;)
    expect_error(MPI_Improbe(source, tag, MPI_COMM_WORLD, &flag, &found, status), MPI_SUCCESS, "MPI_Improbe");
  return found;
}

void all_sizes_and_modes() {
  for (const int bytes : kSizes)
    for (int form = 0; form < 8; ++form) {
      const bool blocking_probe = form % 2 == 0, blocking_receive = form / 2 % 2 == 0, synchronous = form / 4 != 0;
      const Message out = message(bytes, rank(), form);
      Message in(out.size());
      MPI_Request sent;
      (synchronous ? MPI_Issend : MPI_Isend)(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &sent);
      MPI_Status status;
      MPI_Message found = matched(form < 4 ? previous() : MPI_ANY_SOURCE, MPI_ANY_TAG, &status, blocking_probe);
      expect_status(status, previous(), kTag, bytes);
      status = {};
      if (blocking_receive) {
        expect_error(MPI_Mrecv(in.data(), bytes, MPI_BYTE, &found, &status), MPI_SUCCESS, "MPI_Mrecv");
      } else {
        MPI_Request request;
        expect_error(MPI_Imrecv(in.data(), bytes, MPI_BYTE, &found, &request), MPI_SUCCESS, "MPI_Imrecv");
        MPI_Wait(&request, &status);
      }
      expect(found == MPI_MESSAGE_NULL, "the message's handle lives on");
      expect_status(status, previous(), kTag, bytes);
      expect(in == message(bytes, previous(), form), "wrong content");
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
}

// Two messages with the same envelope: the first is taken out, the second is what others see; then in turned order.
void a_matched_message_is_out_of_reach_for_others() {
  for (const int bytes : kSizes) {
    MPI_Request sent[2];
    const Message first = message(bytes, rank(), 1), second = message(bytes, rank(), 2);
    MPI_Isend(first.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &sent[0]);
    MPI_Isend(second.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &sent[1]);
    MPI_Status status;
    MPI_Message found = matched(previous(), kTag, &status, true);
    Message in(first.size());
    MPI_Recv(in.data(), bytes, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(in == message(bytes, previous(), 2), "the second message is not what MPI_Recv got");
    int there = 1;
    MPI_Iprobe(previous(), kTag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    expect_equal(there, 0, "whether MPI_Iprobe finds the matched message");
    MPI_Barrier(MPI_COMM_WORLD);  // nobody is a round ahead
    MPI_Mrecv(in.data(), bytes, MPI_BYTE, &found, MPI_STATUS_IGNORE);
    expect(in == message(bytes, previous(), 1), "the first message is not what MPI_Mrecv got");
    MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
  }
}

void nothing_there_is_no_message() {
  int flag = 1;
  MPI_Message found = MPI_MESSAGE_NULL;
  MPI_Improbe(previous(), kTag, MPI_COMM_WORLD, &flag, &found, MPI_STATUS_IGNORE);
  expect_equal(flag, 0, "the flag");
  expect(found == MPI_MESSAGE_NULL, "a message without a flag");
  MPI_Barrier(MPI_COMM_WORLD);
}

void from_nobody() {
  MPI_Status status;
  for (const bool blocking : {true, false}) {
    MPI_Message found = matched(MPI_PROC_NULL, kTag, &status, blocking);
    expect(found == MPI_MESSAGE_NO_PROC, "the message is not MPI_MESSAGE_NO_PROC");
    expect_from_nobody(status);
    int number = 42;
    if (blocking) {
      expect_error(MPI_Mrecv(&number, 1, MPI_INT, &found, &status), MPI_SUCCESS, "MPI_Mrecv");
    } else {
      MPI_Request request;
      expect_error(MPI_Imrecv(&number, 1, MPI_INT, &found, &request), MPI_SUCCESS, "MPI_Imrecv");
      MPI_Wait(&request, &status);
    }
    expect_from_nobody(status);
    expect(found == MPI_MESSAGE_NULL, "the message's handle lives on");
    expect_equal(number, 42, "the buffer");
  }
}

void it_is_received_once() {
  const int out = rank();
  MPI_Request sent;
  MPI_Isend(&out, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD, &sent);
  MPI_Message found = matched(previous(), kTag, MPI_STATUS_IGNORE, true), copy = found;
  int in = -1;
  MPI_Mrecv(&in, 1, MPI_INT, &found, MPI_STATUS_IGNORE);
  expect_error(MPI_Mrecv(&in, 1, MPI_INT, &found, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, "MPI_Mrecv of no message");
  expect_error(MPI_Mrecv(&in, 1, MPI_INT, &copy, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, "a second MPI_Mrecv");
  expect_equal(in, previous(), "what came");
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

void a_message_that_is_too_long_is_an_error() {
  for (const int bytes : {8, 5000, 300'000}) {
    const Message out = message(bytes, rank(), 0);
    MPI_Request sent;
    MPI_Isend(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &sent);
    MPI_Message found = matched(previous(), kTag, MPI_STATUS_IGNORE, true);
    Message in(static_cast<std::size_t>(bytes / 2));
    expect_error(MPI_Mrecv(in.data(), bytes / 2, MPI_BYTE, &found, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE, "MPI_Mrecv");
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  }
}

}  // namespace

int main() {
  return run({{"all sizes and modes", all_sizes_and_modes},
              {"a matched message is out of reach for others", a_matched_message_is_out_of_reach_for_others},
              {"nothing there is no message", nothing_there_is_no_message},
              {"from nobody", from_nobody},
              {"it is received once", it_is_received_once},
              {"a message that is too long is an error", a_message_that_is_too_long_is_an_error}});
}
