// Messages of one sender arrive in the order in which they were sent, whatever their sizes and protocols:
// MPI 5.0, 3.5.
#include <algorithm>
#include <random>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kMessages = 60;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

std::vector<int> random_sizes(int sender) {
  std::mt19937 random(static_cast<unsigned>(sender));
  std::vector<int> sizes(kMessages);
  for (int& bytes : sizes) bytes = kSizes[random() % std::size(kSizes)];
  return sizes;
}

struct Outgoing {
  std::vector<Message> messages;
  std::vector<MPI_Request> requests;

  Outgoing(int to, int tag) {
    for (int number = 0; const int bytes : random_sizes(rank())) messages.push_back(message(bytes, rank(), number++));
    for (Message& each : messages) {
      requests.emplace_back();
      MPI_Isend(each.data(), static_cast<int>(each.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD, &requests.back());
    }
  }
  void wait() { MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE); }
};

void holds_for_blocking_receives() {
  Outgoing out(next(), 1);
  for (int number = 0; const int bytes : random_sizes(previous())) {
    Message in(kLongest);
    MPI_Status status;
    MPI_Recv(in.data(), kLongest, MPI_BYTE, previous(), 1, MPI_COMM_WORLD, &status);
    expect_status(status, previous(), 1, bytes);
    in.resize(static_cast<std::size_t>(bytes));
    expect(in == message(bytes, previous(), number),
           "not the message that was sent as number " + std::to_string(number));
    ++number;
  }
  out.wait();
}

void holds_for_receives_posted_before() {
  const std::vector<int> sizes = random_sizes(previous());
  std::vector<Message> in;
  for (const int bytes : sizes) in.emplace_back(static_cast<std::size_t>(bytes));
  std::vector<MPI_Request> requests(kMessages);
  for (std::size_t i = 0; i < in.size(); ++i)
    MPI_Irecv(in[i].data(), static_cast<int>(in[i].size()), MPI_BYTE, previous(), 2, MPI_COMM_WORLD, &requests[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  Outgoing out(next(), 2);
  expect_error(MPI_Waitall(kMessages, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS, "MPI_Waitall");
  for (int number = 0; number < kMessages; ++number) {
    const auto i = static_cast<std::size_t>(number);
    expect(in[i] == message(sizes[i], previous(), number), "not message number " + std::to_string(number));
  }
  out.wait();
}

// Half with one tag, half with the other, and the other received first.
void holds_for_each_tag_of_its_own() {
  constexpr int kCount = 20, kInts = 3000;  // several packets each
  std::vector<std::vector<int>> out;
  std::vector<MPI_Request> requests(kCount);
  for (int i = 0; i < kCount; ++i) out.emplace_back(kInts, i);
  for (int i = 0; i < kCount; ++i)
    MPI_Isend(out[static_cast<std::size_t>(i)].data(), kInts, MPI_INT, next(), i % 2, MPI_COMM_WORLD,
              &requests[static_cast<std::size_t>(i)]);
  std::vector<int> in(kInts);
  for (const int tag : {1, 0})
    for (int i = tag; i < kCount; i += 2) {
      MPI_Recv(in.data(), kInts, MPI_INT, previous(), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      expect(in.front() == i && in.back() == i, "message " + std::to_string(i) + " is another");
    }
  MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE);
}

void holds_where_any_tag_is_taken() {
  constexpr int kCount = 100;
  std::vector<MPI_Request> requests(kCount);
  std::vector<int> out(kCount);
  for (int i = 0; i < kCount; ++i) {
    const auto index = static_cast<std::size_t>(i);
    out[index] = i;
    MPI_Isend(&out[index], 1, MPI_INT, next(), (i * 7) % 13, MPI_COMM_WORLD, &requests[index]);
  }
  for (int i = 0; i < kCount; ++i) {
    int got = -1;
    MPI_Status status;
    MPI_Recv(&got, 1, MPI_INT, previous(), MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    expect_equal(got, i, "the message received");
    expect_status(status, previous(), (i * 7) % 13, sizeof(int));
  }
  MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE);
}

// The receive posted first takes the first message, be it a wildcard or not.
void holds_between_wildcards_and_others() {
  int first = -1, second = -1, third = -1;
  MPI_Request requests[3];
  MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&second, 1, MPI_INT, previous(), 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Irecv(&third, 1, MPI_INT, previous(), MPI_ANY_TAG, MPI_COMM_WORLD, &requests[2]);
  for (int i = 0; i < 3; ++i) MPI_Send(&i, 1, MPI_INT, next(), 3, MPI_COMM_WORLD);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  expect(first == 0 && second == 1 && third == 2, "receives did not take messages in the order they were posted in");
}

}  // namespace

int main() {
  return run({{"holds for blocking receives", holds_for_blocking_receives},
              {"holds for receives posted before", holds_for_receives_posted_before},
              {"holds for each tag of its own", holds_for_each_tag_of_its_own},
              {"holds where any tag is taken", holds_where_any_tag_is_taken},
              {"holds between wildcards and others", holds_between_wildcards_and_others}});
}
