// MPI_ANY_SOURCE and MPI_ANY_TAG: MPI 5.0, 3.2.4.
#include <vector>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

// Everybody, rank 0 too, sends rank 0 messages of all sizes; rank 0 takes them as they come.
void from_anybody_keep_each_senders_order() {
  std::vector<Message> out;
  std::vector<MPI_Request> sends;
  for (int number = 0; const int bytes : kSizes) out.push_back(message(bytes, rank(), number++));
  for (std::size_t i = 0; i < out.size(); ++i) {
    sends.emplace_back();
    MPI_Isend(out[i].data(), kSizes[i], MPI_BYTE, 0, static_cast<int>(i), MPI_COMM_WORLD, &sends.back());
  }
  if (rank() == 0) {
    std::vector<int> taken(static_cast<std::size_t>(size()), 0);
    Message in(kLongest);
    for (std::size_t i = 0; i < taken.size() * out.size(); ++i) {
      MPI_Status status;
      MPI_Recv(in.data(), kLongest, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      int& number = taken[static_cast<std::size_t>(status.MPI_SOURCE)];
      const int bytes = kSizes[number];
      expect_status(status, status.MPI_SOURCE, number, bytes);
      expect(Message(in.begin(), in.begin() + bytes) == message(bytes, status.MPI_SOURCE, number), "wrong content");
      ++number;
    }
  }
  MPI_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
}

void of_any_tag_do_not_take_what_is_for_another_communicator() {
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  const int next = (rank() + 1) % size(), here = 1, there = 2;
  int got_here = 0, got_there = 0;
  MPI_Request requests[4];
  MPI_Isend(&there, 1, MPI_INT, next, 9, other, &requests[0]);
  MPI_Isend(&here, 1, MPI_INT, next, 9, MPI_COMM_WORLD, &requests[1]);
  MPI_Irecv(&got_here, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[2]);
  MPI_Irecv(&got_there, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  expect_equal(got_here, here, "what came in MPI_COMM_WORLD");
  expect_equal(got_there, there, "what came in its duplicate");
  MPI_Comm_free(&other);
}

// A collective operation's messages are nobody else's.
void do_not_take_messages_of_collectives() {
  int caught = 0, sum = 0;
  MPI_Request request;
  MPI_Irecv(&caught, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  const int one = 1;
  for (int i = 0; i < 10; ++i) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int done = 1;
  MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  expect(done == 0, "the receive took a message of MPI_Allreduce");
  const int mine = 77;
  MPI_Send(&mine, 1, MPI_INT, rank(), 0, MPI_COMM_WORLD);
  if (done == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_equal(caught, mine, "what the receive took");
  expect_equal(sum, size(), "the sum");
}

void take_what_came_first_of_several_that_fit() {
  const int next = (rank() + 1) % size(), out[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  MPI_Request sent[10];
  for (int i = 0; i < 10; ++i) MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &sent[i]);
  MPI_Probe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // now all have come
  int got = -1;
  MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect_equal(got, 5, "the message with tag 5");
  for (const int wanted : {0, 1, 2, 3, 4, 6, 7, 8, 9}) {
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_equal(got, wanted, "the message with any tag");
  }
  MPI_Waitall(10, sent, MPI_STATUSES_IGNORE);
}

}  // namespace

int main() {
  return run({{"receives from anybody keep each sender's order", from_anybody_keep_each_senders_order},
              {"receives of any tag do not take what is for another communicator",
               of_any_tag_do_not_take_what_is_for_another_communicator},
              {"receives from anybody do not take messages of collectives", do_not_take_messages_of_collectives},
              {"receives take what came first of several that fit", take_what_came_first_of_several_that_fit}});
}
