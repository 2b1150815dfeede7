// A message longer than its receive buffer is an error of the receiver's, and of that message alone: MPI 5.0, 3.2.2.
#include <algorithm>
#include <vector>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 4;
constexpr unsigned char kUntouched = 0xee;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

// A buffer with room for `bytes` and a margin that nothing may write to.
class Guarded {
 public:
  explicit Guarded(int bytes) : bytes_(bytes), memory_(static_cast<std::size_t>(bytes) + 64, kUntouched) {}
  [[nodiscard]] void* data() { return memory_.data(); }
  [[nodiscard]] bool margin_untouched() const {
    return std::all_of(memory_.begin() + bytes_, memory_.end(), [](unsigned char c) { return c == kUntouched; });
  }
  [[nodiscard]] bool begins_like(const Message& wanted) const {
    return std::equal(wanted.begin(), wanted.begin() + bytes_, memory_.begin());
  }

 private:
  int bytes_;
  Message memory_;
};

// After an error the next message must still find its way.
void expect_still_working() {
  const int out = rank();
  int in = -1;
  MPI_Sendrecv(&out, 1, MPI_INT, next(), kTag, &in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect_equal(in, previous(), "the next message");
}

template <class Receive>
void for_all_sizes(Receive receive) {
  for (const int bytes : kSizes) {
    if (bytes == 0) continue;
    const Message out = message(bytes, rank(), 0);
    for (const int room : {0, bytes / 2, bytes - 1}) {
      Guarded in(room);
      MPI_Request sent;
      const auto send = [&] { MPI_Isend(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &sent); };
      receive(in, room, send);
      expect_error(MPI_Wait(&sent, MPI_STATUS_IGNORE), MPI_SUCCESS, "the sender's MPI_Wait");
      expect(in.margin_untouched(), std::to_string(bytes) + " bytes were written past " + std::to_string(room));
      expect(in.begins_like(message(bytes, previous(), 0)), "what fits is not there");
      expect_still_working();
    }
  }
}

void is_returned_by_a_blocking_receive() {
  for_all_sizes([](Guarded& in, int room, auto send) {
    send();
    expect_error(MPI_Recv(in.data(), room, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                 MPI_ERR_TRUNCATE, "MPI_Recv");
  });
}

void is_returned_by_wait() {
  for_all_sizes([](Guarded& in, int room, auto send) {
    MPI_Request request;
    MPI_Irecv(in.data(), room, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, &request);
    send();
    expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE, "MPI_Wait");
    expect(request == MPI_REQUEST_NULL, "the request lives on");
  });
}

void is_returned_by_test() {
  for_all_sizes([](Guarded& in, int room, auto send) {
    MPI_Request request;
    MPI_Irecv(in.data(), room, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    send();
    int done = 0, returned = MPI_SUCCESS;
    while (done == 0) returned = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    expect_error(returned, MPI_ERR_TRUNCATE, "MPI_Test");
  });
}

void is_returned_by_sendrecv() {
  const int out[2] = {rank(), rank()};
  int in[2] = {-1, -1};
  expect_error(MPI_Sendrecv(out, 2, MPI_INT, next(), kTag, in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD,
                            MPI_STATUS_IGNORE),
               MPI_ERR_TRUNCATE, "MPI_Sendrecv");
  expect_equal(in[1], -1, "the number behind the buffer");
  expect_still_working();
}

// Of four receives the second is too short: the statuses tell which.
void is_told_in_the_status_by_waitall() {
  const int out[2] = {1, 2};
  int in[4][2] = {};
  MPI_Request requests[8];
  MPI_Status statuses[8];
  for (int i = 0; i < 4; ++i) MPI_Irecv(in[i], i == 1 ? 1 : 2, MPI_INT, previous(), i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < 4; ++i) MPI_Isend(out, 2, MPI_INT, next(), i, MPI_COMM_WORLD, &requests[4 + i]);
  expect_error(MPI_Waitall(8, requests, statuses), MPI_ERR_IN_STATUS, "MPI_Waitall");
  for (int i = 0; i < 8; ++i) {
    expect_error(statuses[i].MPI_ERROR, i == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS, "status " + std::to_string(i));
    expect(requests[i] == MPI_REQUEST_NULL, "a request lives on");
  }
  expect_still_working();
}

}  // namespace

int main() {
  return run({{"is returned by a blocking receive", is_returned_by_a_blocking_receive},
              {"is returned by MPI_Wait", is_returned_by_wait},
              {"is returned by MPI_Test", is_returned_by_test},
              {"is returned by MPI_Sendrecv", is_returned_by_sendrecv},
              {"is told in the status by MPI_Waitall", is_told_in_the_status_by_waitall}});
}
