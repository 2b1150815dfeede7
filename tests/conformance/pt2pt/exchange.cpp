// A send and a receive in one call, blocking or not, with one buffer or two: MPI 5.0, 3.11.
#include <numeric>
#include <vector>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 5;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

void both_directions_at_once_without_blocking() {
  for (const int bytes : kSizes) {
    const Message out = message(bytes, rank(), 1);
    Message in(out.size());
    MPI_Request request;
    expect_error(MPI_Isendrecv(out.data(), bytes, MPI_BYTE, next(), kTag, in.data(), bytes, MPI_BYTE, previous(),
                               MPI_ANY_TAG, MPI_COMM_WORLD, &request),
                 MPI_SUCCESS, "MPI_Isendrecv");
    MPI_Status status;
    expect_error(MPI_Wait(&request, &status), MPI_SUCCESS, "MPI_Wait");
    expect(request == MPI_REQUEST_NULL, "the request lives on");
    expect_status(status, previous(), kTag, bytes);
    expect(in == message(bytes, previous(), 1), "wrong content");
  }
}

// Many at a time, and the handles of half of them freed before they are over.
void many_under_way_at_once() {
  constexpr int kCount = 20;
  std::vector<int> out(kCount), in(kCount, -1);
  std::vector<MPI_Request> requests(kCount);
  for (int i = 0; i < kCount; ++i) {
    const auto at = static_cast<std::size_t>(i);
    out[at] = rank() * 100 + i;
    MPI_Isendrecv(&out[at], 1, MPI_INT, next(), i, &in[at], 1, MPI_INT, previous(), i, MPI_COMM_WORLD, &requests[at]);
  }
  for (std::size_t i = 0; i < requests.size(); i += 2) MPI_Request_free(&requests[i]);
  MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);  // everybody has sent what the freed ones receive
  int there = 1;
  while (there != 0) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  for (int i = 1; i < kCount; i += 2)
    expect_equal(in[static_cast<std::size_t>(i)], previous() * 100 + i, "number " + std::to_string(i));
}

void the_received_message_replaces_the_one_sent() {
  for (const int bytes : kSizes) {
    Message both = message(bytes, rank(), 2);
    MPI_Status status;
    expect_error(
        MPI_Sendrecv_replace(both.data(), bytes, MPI_BYTE, next(), kTag, previous(), kTag, MPI_COMM_WORLD, &status),
        MPI_SUCCESS, "MPI_Sendrecv_replace");
    expect_status(status, previous(), kTag, bytes);
    expect(both == message(bytes, previous(), 2), "wrong content");

    both = message(bytes, rank(), 3);
    MPI_Request request;
    expect_error(
        MPI_Isendrecv_replace(both.data(), bytes, MPI_BYTE, next(), kTag, previous(), kTag, MPI_COMM_WORLD, &request),
        MPI_SUCCESS, "MPI_Isendrecv_replace");
    MPI_Wait(&request, &status);
    expect_status(status, previous(), kTag, bytes);
    expect(both == message(bytes, previous(), 3), "wrong content after MPI_Isendrecv_replace");
  }
}

// Every second number of an array; those between stay as they are.
void gaps_are_left_alone() {
  for (const int count : {1, 10, 5000, 40'000}) {
    MPI_Datatype type;
    MPI_Type_vector(count, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (const bool blocking : {true, false}) {
      std::vector<int> both(static_cast<std::size_t>(2 * count));
      std::iota(both.begin(), both.end(), 1'000'000 * rank());
      MPI_Request request = MPI_REQUEST_NULL;
      if (blocking)
        MPI_Sendrecv_replace(both.data(), 1, type, next(), kTag, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else
        MPI_Isendrecv_replace(both.data(), 1, type, next(), kTag, previous(), kTag, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      int wrong = 0;
      for (int i = 0; i < 2 * count; ++i)
        wrong += both[static_cast<std::size_t>(i)] != 1'000'000 * (i % 2 == 0 ? previous() : rank()) + i;
      expect_equal(wrong, 0, "wrong numbers of " + std::to_string(count));
    }
    MPI_Type_free(&type);
  }
}

void to_nobody_and_from_nobody() {
  int both = rank();
  MPI_Status status;
  MPI_Sendrecv_replace(&both, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &status);
  expect_from_nobody(status);
  expect_equal(both, rank(), "the buffer");
  const bool first = rank() == 0, last = rank() == size() - 1;
  MPI_Request request;
  MPI_Isendrecv_replace(&both, 1, MPI_INT, last ? MPI_PROC_NULL : next(), kTag, first ? MPI_PROC_NULL : previous(),
                        kTag, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  expect_equal(both, first ? 0 : rank() - 1, "what came along the chain");
  if (first) expect_from_nobody(status);
}

void a_message_that_is_too_long_is_an_error() {
  const int out[2] = {1, 2};
  int in[2] = {-1, -1};
  MPI_Request request;
  MPI_Isendrecv(out, 2, MPI_INT, next(), kTag, in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &request);
  expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE, "MPI_Wait");
  expect_equal(in[1], -1, "the number behind the buffer");
}

}  // namespace

int main() {
  return run({{"both directions at once without blocking", both_directions_at_once_without_blocking},
              {"many under way at once", many_under_way_at_once},
              {"the received message replaces the one sent", the_received_message_replaces_the_one_sent},
              {"gaps are left alone", gaps_are_left_alone},
              {"to nobody and from nobody", to_nobody_and_from_nobody},
              {"a message that is too long is an error", a_message_that_is_too_long_is_an_error}});
}
