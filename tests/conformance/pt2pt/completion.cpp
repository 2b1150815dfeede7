// MPI_Wait, MPI_Test and their families, with requests that are active, null, or not there at all:
// MPI 5.0, 3.7.3-3.7.5.
#include <algorithm>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kUntouched = 42;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

MPI_Status dirty() {
  MPI_Status status;
  status.MPI_SOURCE = status.MPI_TAG = status.MPI_ERROR = kUntouched;
  return status;
}

void null_requests_are_over() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status = dirty();
  expect_error(MPI_Wait(&request, &status), MPI_SUCCESS, "MPI_Wait");
  expect_empty(status);
  int flag = 0;
  status = dirty();
  expect_error(MPI_Test(&request, &flag, &status), MPI_SUCCESS, "MPI_Test");
  expect(flag != 0, "MPI_Test does not find a null request over");
  expect_empty(status);
}

void arrays_of_null_requests_are_over() {
  constexpr int kCount = 3;
  MPI_Request requests[kCount] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[kCount] = {dirty(), dirty(), dirty()};
  int flag = 0, index = kUntouched, count = kUntouched, indices[kCount];

  expect_error(MPI_Waitall(kCount, requests, statuses), MPI_SUCCESS, "MPI_Waitall");
  for (const MPI_Status& status : statuses) expect_empty(status);
  std::fill_n(statuses, kCount, dirty());
  expect_error(MPI_Testall(kCount, requests, &flag, statuses), MPI_SUCCESS, "MPI_Testall");
  expect(flag != 0, "MPI_Testall's flag is false");
  for (const MPI_Status& status : statuses) expect_empty(status);

  statuses[0] = dirty();
  expect_error(MPI_Waitany(kCount, requests, &index, &statuses[0]), MPI_SUCCESS, "MPI_Waitany");
  expect_equal(index, MPI_UNDEFINED, "MPI_Waitany's index");
  expect_empty(statuses[0]);
  statuses[0] = dirty(), index = kUntouched, flag = 0;
  expect_error(MPI_Testany(kCount, requests, &index, &flag, &statuses[0]), MPI_SUCCESS, "MPI_Testany");
  expect(flag != 0, "MPI_Testany's flag is false");
  expect_equal(index, MPI_UNDEFINED, "MPI_Testany's index");
  expect_empty(statuses[0]);

  expect_error(MPI_Waitsome(kCount, requests, &count, indices, statuses), MPI_SUCCESS, "MPI_Waitsome");
  expect_equal(count, MPI_UNDEFINED, "MPI_Waitsome's count");
  count = kUntouched;
  expect_error(MPI_Testsome(kCount, requests, &count, indices, statuses), MPI_SUCCESS, "MPI_Testsome");
  expect_equal(count, MPI_UNDEFINED, "MPI_Testsome's count");
}

void empty_arrays_are_over() {
  int flag = 0, index = 0, count = 0;
  expect_error(MPI_Waitall(0, nullptr, nullptr), MPI_SUCCESS, "MPI_Waitall");
  expect_error(MPI_Testall(0, nullptr, &flag, nullptr), MPI_SUCCESS, "MPI_Testall");
  expect(flag != 0, "MPI_Testall's flag is false");
  expect_error(MPI_Waitany(0, nullptr, &index, MPI_STATUS_IGNORE), MPI_SUCCESS, "MPI_Waitany");
  expect_equal(index, MPI_UNDEFINED, "MPI_Waitany's index");
  flag = 0;
  expect_error(MPI_Testany(0, nullptr, &index, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS, "MPI_Testany");
  expect(flag != 0, "MPI_Testany's flag is false");
  expect_error(MPI_Waitsome(0, nullptr, &count, nullptr, nullptr), MPI_SUCCESS, "MPI_Waitsome");
  expect_equal(count, MPI_UNDEFINED, "MPI_Waitsome's count");
  count = 0;
  expect_error(MPI_Testsome(0, nullptr, &count, nullptr, nullptr), MPI_SUCCESS, "MPI_Testsome");
  expect_equal(count, MPI_UNDEFINED, "MPI_Testsome's count");
}

// Receives that are answered in an order of the sender's choice, with null requests in between.
class Exchange {
 public:
  static constexpr int kCount = 40;

  Exchange() : requests(2 * kCount, MPI_REQUEST_NULL), in(kCount, -1), out(kCount), sends_(kCount) {
    for (int i = 0; i < kCount; ++i)
      MPI_Irecv(&in[at(i)], 1, MPI_INT, previous(), i, MPI_COMM_WORLD, &requests[at(2 * i)]);
  }
  void send() {
    for (int i = 0; i < kCount; ++i) {
      const int tag = (i * 7) % kCount;
      out[at(i)] = tag * 10;
      MPI_Isend(&out[at(i)], 1, MPI_INT, next(), tag, MPI_COMM_WORLD, &sends_[at(i)]);
    }
  }
  void expect_received(int index, const MPI_Status& status) {
    expect(index >= 0 && index < 2 * kCount && index % 2 == 0,
           "index " + std::to_string(index) + " is of no receive");
    expect(requests[at(index)] == MPI_REQUEST_NULL, "the request lives on");
    expect_status(status, previous(), index / 2, sizeof(int));
    ++received_;
  }
  [[nodiscard]] int received() const { return received_; }
  ~Exchange() {
    MPI_Waitall(kCount, sends_.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < kCount; ++i) expect_equal(in[at(i)], i * 10, "what receive " + std::to_string(i) + " got");
  }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::vector<MPI_Request> requests;  // every second one is null
  std::vector<int> in, out;

 private:
  std::vector<MPI_Request> sends_;
  int received_ = 0;
};
constexpr int kAll = 2 * Exchange::kCount;

void each_is_returned_once_by_waitany() {
  Exchange exchange;
  exchange.send();
  for (int i = 0; i < Exchange::kCount; ++i) {
    int index = kUntouched;
    MPI_Status status;
    MPI_Waitany(kAll, exchange.requests.data(), &index, &status);
    exchange.expect_received(index, status);
  }
  int index = kUntouched;
  MPI_Waitany(kAll, exchange.requests.data(), &index, MPI_STATUS_IGNORE);
  expect_equal(index, MPI_UNDEFINED, "MPI_Waitany's index when all are over");
}

void each_is_returned_once_by_testany() {
  Exchange exchange;
  int index = 0, flag = 1;
  MPI_Testany(kAll, exchange.requests.data(), &index, &flag, MPI_STATUS_IGNORE);
  expect(flag == 0 && index == MPI_UNDEFINED, "MPI_Testany finds one of those over that nobody has sent to");
  MPI_Barrier(MPI_COMM_WORLD);
  exchange.send();
  while (exchange.received() < Exchange::kCount) {
    MPI_Status status;
    MPI_Testany(kAll, exchange.requests.data(), &index, &flag, &status);
    if (flag != 0) exchange.expect_received(index, status);
  }
}

template <class Some>
void each_is_returned_once_by(Some some) {
  Exchange exchange;
  exchange.send();
  std::vector<int> indices(kAll);
  std::vector<MPI_Status> statuses(kAll);
  while (exchange.received() < Exchange::kCount) {
    int count = kUntouched;
    expect_error(some(kAll, exchange.requests.data(), &count, indices.data(), statuses.data()), MPI_SUCCESS,
                 "the call");
    expect(count >= (some == MPI_Waitsome ? 1 : 0) && count <= kAll, "the count is " + std::to_string(count));
    for (int i = 0; i < count; ++i) exchange.expect_received(indices[Exchange::at(i)], statuses[Exchange::at(i)]);
  }
}
void each_is_returned_once_by_waitsome() { each_is_returned_once_by(MPI_Waitsome); }
void each_is_returned_once_by_testsome() { each_is_returned_once_by(MPI_Testsome); }

void all_are_completed_or_none_by_testall() {
  Exchange exchange;
  std::vector<MPI_Status> statuses(kAll, dirty());
  int flag = 1;
  MPI_Testall(kAll, exchange.requests.data(), &flag, statuses.data());
  expect(flag == 0, "MPI_Testall finds receives over that nobody has sent to");
  MPI_Barrier(MPI_COMM_WORLD);
  exchange.send();
  while (flag == 0) {
    for (int i = 0; i < kAll; i += 2)
      expect(exchange.requests[Exchange::at(i)] != MPI_REQUEST_NULL, "MPI_Testall ended a request, and not all");
    MPI_Testall(kAll, exchange.requests.data(), &flag, statuses.data());
  }
  for (int i = 0; i < kAll; ++i) {
    if (i % 2 == 0)
      exchange.expect_received(i, statuses[Exchange::at(i)]);
    else
      expect_empty(statuses[Exchange::at(i)]);
  }
}

void all_are_completed_by_waitall_without_statuses() {
  Exchange exchange;
  exchange.send();
  expect_error(MPI_Waitall(kAll, exchange.requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS, "MPI_Waitall");
  for (const MPI_Request request : exchange.requests) expect(request == MPI_REQUEST_NULL, "a request lives on");
}

}  // namespace

int main() {
  return run({{"null requests are over", null_requests_are_over},
              {"arrays of null requests are over", arrays_of_null_requests_are_over},
              {"empty arrays are over", empty_arrays_are_over},
              {"each is returned once by MPI_Waitany", each_is_returned_once_by_waitany},
              {"each is returned once by MPI_Testany", each_is_returned_once_by_testany},
              {"each is returned once by MPI_Waitsome", each_is_returned_once_by_waitsome},
              {"each is returned once by MPI_Testsome", each_is_returned_once_by_testsome},
              {"all are completed or none by MPI_Testall", all_are_completed_or_none_by_testall},
              {"all are completed by MPI_Waitall without statuses", all_are_completed_by_waitall_without_statuses}});
}
