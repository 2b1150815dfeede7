// MPI_Probe and MPI_Iprobe tell of a message and leave it where it is: MPI 5.0, 3.8.1.
#include <vector>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 6;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

void receive_and_check(int bytes, int source, int tag) {
  Message in(static_cast<std::size_t>(bytes));
  MPI_Status status;
  MPI_Recv(in.data(), bytes, MPI_BYTE, source, tag, MPI_COMM_WORLD, &status);
  expect_status(status, source, tag, bytes);
  expect(in == message(bytes, source, tag), "wrong content");
}

// The length of a message that nobody told the receiver, from MPI_Probe.
void tells_the_length() {
  for (const int bytes : kSizes) {
    const Message out = message(bytes, rank(), kTag);
    MPI_Request sent;
    MPI_Isend(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &sent);
    MPI_Status status;
    for (int twice = 0; twice < 2; ++twice) {
      MPI_Probe(previous(), kTag, MPI_COMM_WORLD, &status);
      expect_status(status, previous(), kTag, bytes);
    }
    receive_and_check(bytes, previous(), kTag);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  }
}

void finds_messages_of_anybody() {
  const Message out = message(rank() * 1000, rank(), rank());
  MPI_Request sent;
  MPI_Isend(out.data(), rank() * 1000, MPI_BYTE, 0, rank(), MPI_COMM_WORLD, &sent);
  for (int i = 0; rank() == 0 && i < size(); ++i) {
    MPI_Status status;
    if (i % 2 == 0) {
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    } else {
      for (int there = 0; there == 0;) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    }
    expect_status(status, status.MPI_SOURCE, status.MPI_SOURCE, status.MPI_SOURCE * 1000);
    receive_and_check(status.MPI_SOURCE * 1000, status.MPI_SOURCE, status.MPI_TAG);
  }
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

void finds_nothing_where_nothing_matches() {
  MPI_Request sent;
  MPI_Isend(nullptr, 0, MPI_INT, next(), kTag, MPI_COMM_WORLD, &sent);
  MPI_Probe(previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int there = 1;
  MPI_Iprobe(previous(), kTag + 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  expect_equal(there, 0, "the flag for another tag");
  if (size() > 2) {
    MPI_Iprobe((previous() + size() - 1) % size(), kTag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    expect_equal(there, 0, "the flag for another source");
  }
  MPI_Recv(nullptr, 0, MPI_INT, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  expect_equal(there, 0, "the flag after the message was received");
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

void shows_the_first_of_several() {
  int out[5] = {0, 1, 2, 3, 4};
  for (int i = 0; i < 5; ++i) MPI_Send(out, i, MPI_INT, next(), i, MPI_COMM_WORLD);
  for (int i = 0; i < 5; ++i) {
    MPI_Status status;
    MPI_Probe(previous(), MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    expect_status(status, previous(), i, i * static_cast<int>(sizeof(int)));
    MPI_Recv(out, 5, MPI_INT, previous(), i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

// The count is MPI_UNDEFINED where the bytes are no whole number of elements.
void counts_in_any_datatype() {
  const char out[12] = {};
  MPI_Request sent;
  MPI_Isend(out, 12, MPI_CHAR, next(), kTag, MPI_COMM_WORLD, &sent);
  MPI_Status status;
  MPI_Probe(previous(), kTag, MPI_COMM_WORLD, &status);
  int ints = 0, doubles = 0;
  MPI_Get_count(&status, MPI_INT, &ints);
  MPI_Get_count(&status, MPI_DOUBLE, &doubles);
  expect_equal(ints, 3, "the number of ints in 12 bytes");
  expect_equal(doubles, MPI_UNDEFINED, "the number of doubles in 12 bytes");
  char in[12];
  MPI_Recv(in, 12, MPI_CHAR, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

}  // namespace

int main() {
  return run({{"a probe tells the length", tells_the_length},
              {"a probe finds messages of anybody", finds_messages_of_anybody},
              {"a probe finds nothing where nothing matches", finds_nothing_where_nothing_matches},
              {"a probe shows the first of several", shows_the_first_of_several},
              {"a probe's status counts in any datatype", counts_in_any_datatype}});
}
