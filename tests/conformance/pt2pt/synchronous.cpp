// A synchronous send is over when the receive has begun, not before: MPI 5.0, 3.4.
#include <vector>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 2, kGo = 3;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

bool done(MPI_Request* request) {
  int flag = 0;
  MPI_Test(request, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

// The receiver posts its receive only when the sender, having found its send pending, tells it to.
void lasts_until_there_is_a_receive() {
  for (const int bytes : kSizes) {
    const Message out = message(bytes, rank(), 0);
    Message in(out.size());
    MPI_Request sent;
    MPI_Issend(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &sent);
    for (int i = 0; i < 20; ++i) expect(!done(&sent), "the send is over, and nobody receives");
    MPI_Barrier(MPI_COMM_WORLD);
    expect(!done(&sent), "the send is over after a barrier, and nobody receives");
    MPI_Send(nullptr, 0, MPI_BYTE, next(), kGo, MPI_COMM_WORLD);
    MPI_Recv(nullptr, 0, MPI_BYTE, previous(), kGo, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in.data(), bytes, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(in == message(bytes, previous(), 0), "wrong content");
    expect_error(MPI_Wait(&sent, MPI_STATUS_IGNORE), MPI_SUCCESS, "MPI_Wait");
  }
}

void is_over_once_it_is_received() {
  for (const int bytes : kSizes) {
    const Message out = message(bytes, rank(), 0);
    Message in(out.size());
    MPI_Request receive;
    MPI_Irecv(in.data(), bytes, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, &receive);
    expect_error(MPI_Ssend(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Ssend");
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    expect(in == message(bytes, previous(), 0), "wrong content");
  }
}

void is_not_over_because_of_a_probe() {
  MPI_Request sent;
  const int out = rank();
  MPI_Issend(&out, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD, &sent);
  MPI_Probe(previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  expect(!done(&sent), "the send is over, and the message was only probed for");
  MPI_Barrier(MPI_COMM_WORLD);
  int in = -1;
  MPI_Recv(&in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect_equal(in, previous(), "what came");
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

// What was sent before in standard mode is received before.
void keeps_its_place_in_the_order() {
  constexpr int kCount = 30;
  std::vector<int> out(kCount);
  std::vector<MPI_Request> requests(kCount);
  for (int i = 0; i < kCount; ++i) {
    const auto index = static_cast<std::size_t>(i);
    out[index] = i;
    const auto start = i % 3 == 0 ? MPI_Issend : MPI_Isend;
    start(&out[index], 1, MPI_INT, next(), kTag, MPI_COMM_WORLD, &requests[index]);
  }
  for (int i = 0; i < kCount; ++i) {
    int in = -1;
    MPI_Recv(&in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_equal(in, i, "what came");
  }
  MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace

int main() {
  return run({{"a synchronous send lasts until there is a receive", lasts_until_there_is_a_receive},
              {"a synchronous send is over once it is received", is_over_once_it_is_received},
              {"a synchronous send is not over because of a probe", is_not_over_because_of_a_probe},
              {"a synchronous send keeps its place in the order", keeps_its_place_in_the_order}});
}
