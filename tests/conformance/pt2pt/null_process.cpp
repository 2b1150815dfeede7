// Communication with MPI_PROC_NULL has no effect: MPI 5.0, 3.10.
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 7;
constexpr int kUntouched = 42;

void sends_succeed_at_once() {
  const int value = 1;
  expect_error(MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Send");
  expect_error(MPI_Ssend(&value, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Ssend");
  MPI_Request requests[2];
  MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(&value, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &requests[1]);
  for (MPI_Request& request : requests) {
    int done = 0;
    MPI_Status status;
    MPI_Test(&request, &done, &status);
    expect(done != 0, "a send to nobody is not done at once");
    expect(request == MPI_REQUEST_NULL, "the request lives on");
  }
}

void receives_succeed_at_once_and_leave_the_buffer_alone() {
  int value = kUntouched;
  MPI_Status status;
  expect_error(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &status), MPI_SUCCESS, "MPI_Recv");
  expect_from_nobody(status);
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  int done = 0;
  MPI_Test(&request, &done, &status);
  expect(done != 0, "a receive from nobody is not done at once");
  expect_from_nobody(status);
  expect_equal(value, kUntouched, "the buffer");
}

void probes_find_a_message_from_nobody() {
  MPI_Status status;
  expect_error(MPI_Probe(MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &status), MPI_SUCCESS, "MPI_Probe");
  expect_from_nobody(status);
  int there = 0;
  MPI_Iprobe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  expect(there != 0, "MPI_Iprobe finds nothing");
  expect_from_nobody(status);
}

void needs_neither_buffer_nor_datatype() {
  MPI_Status status;
  expect_error(MPI_Recv(nullptr, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &status), MPI_SUCCESS,
               "MPI_Recv without a datatype");
  expect_from_nobody(status);
  MPI_Request request;
  expect_error(MPI_Irecv(nullptr, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &request), MPI_SUCCESS,
               "MPI_Irecv without a datatype");
  MPI_Waitall(1, &request, &status);
  expect_from_nobody(status);
  expect_error(MPI_Send(nullptr, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, kTag, MPI_COMM_WORLD), MPI_SUCCESS,
               "MPI_Send without a datatype");
  expect_error(MPI_Send(nullptr, 5, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD), MPI_SUCCESS,
               "MPI_Send without a buffer");
  expect_error(MPI_Send(nullptr, 0, MPI_DATATYPE_NULL, rank(), kTag, MPI_COMM_WORLD), MPI_ERR_TYPE,
               "MPI_Send to a rank without a datatype");
}

// A chain instead of a ring: the ends have one neighbour each.
void a_chain_ends_in_nobody() {
  const int left = rank() == 0 ? MPI_PROC_NULL : rank() - 1;
  const int right = rank() == size() - 1 ? MPI_PROC_NULL : rank() + 1;
  const int mine = rank();
  int from_left = kUntouched;
  MPI_Status status;
  MPI_Sendrecv(&mine, 1, MPI_INT, right, kTag, &from_left, 1, MPI_INT, left, kTag, MPI_COMM_WORLD, &status);
  if (left == MPI_PROC_NULL) {
    expect_equal(from_left, kUntouched, "the buffer of the first");
    expect_from_nobody(status);
  } else {
    expect_equal(from_left, left, "what came from the left");
    expect_status(status, left, kTag, sizeof mine);
  }
}

}  // namespace

int main() {
  return run(
      {{"sends succeed at once", sends_succeed_at_once},
       {"receives succeed at once and leave the buffer alone", receives_succeed_at_once_and_leave_the_buffer_alone},
       {"probes find a message from nobody", probes_find_a_message_from_nobody},
       {"needs neither buffer nor datatype", needs_neither_buffer_nor_datatype},
       {"a chain ends in nobody", a_chain_ends_in_nobody}});
}
