// Persistent requests: MPI 5.0, 3.9.
#include <algorithm>
#include <vector>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 6, kRounds = 4;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

using Init = decltype(&MPI_Send_init);
struct Mode {
  const char* name;
  Init init;
};
const Mode kModes[] = {{"MPI_Send_init", MPI_Send_init}, {"MPI_Ssend_init", MPI_Ssend_init}};

void the_same_operation_again_and_again() {
  for (const Mode& mode : kModes)
    for (const int bytes : kSizes) {
      Message out(static_cast<std::size_t>(bytes)), in(out.size());
      MPI_Request requests[2];
      MPI_Recv_init(in.data(), bytes, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, &requests[0]);
      mode.init(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &requests[1]);
      for (int round = 0; round < kRounds; ++round) {
        std::ranges::copy(message(bytes, rank(), round), out.begin());
        expect_error(MPI_Startall(2, requests), MPI_SUCCESS, "MPI_Startall");
        MPI_Status statuses[2];
        expect_error(MPI_Waitall(2, requests, statuses), MPI_SUCCESS, "MPI_Waitall");
        expect_status(statuses[0], previous(), kTag, bytes);
        expect_empty(statuses[1]);
        expect(in == message(bytes, previous(), round), std::string("wrong content after ") + mode.name);
        expect(requests[0] != MPI_REQUEST_NULL && requests[1] != MPI_REQUEST_NULL, "a handle is gone");
      }
      for (MPI_Request& request : requests) {
        expect_error(MPI_Request_free(&request), MPI_SUCCESS, "MPI_Request_free");
        expect(request == MPI_REQUEST_NULL, "the handle lives on");
      }
    }
}

// The receive has been started, says a barrier.
void in_ready_mode() {
  int out = 0, in = -1;
  MPI_Request send, receive;
  MPI_Recv_init(&in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &receive);
  MPI_Rsend_init(&out, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD, &send);
  for (out = 0; out < kRounds; ++out) {
    MPI_Start(&receive);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Start(&send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    expect_equal(in, out, "what came");
  }
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
}

void ready_sends_without_persistence() {
  int in[2] = {-1, -1};
  MPI_Request requests[3];
  for (int i = 0; i < 2; ++i) MPI_Irecv(&in[i], 1, MPI_INT, previous(), i, MPI_COMM_WORLD, &requests[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  const int out = rank();
  expect_error(MPI_Rsend(&out, 1, MPI_INT, next(), 0, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Rsend");
  expect_error(MPI_Irsend(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &requests[2]), MPI_SUCCESS, "MPI_Irsend");
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (const int got : in) expect_equal(got, previous(), "what came");
}

// Inactive requests are like null ones, but stay.
class Inactive {
 public:
  Inactive() {
    MPI_Send_init(&number_, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD, &requests_[0]);
    MPI_Recv_init(&number_, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &requests_[1]);
  }
  ~Inactive() {
    for (MPI_Request& request : requests_) {
      expect(request != MPI_REQUEST_NULL, "an inactive request is gone");
      MPI_Request_free(&request);
    }
  }
  MPI_Request* data() { return requests_; }

 private:
  int number_ = 0;
  MPI_Request requests_[2] = {};
};

void nothing_to_wait_for_while_inactive() {
  Inactive inactive;
  MPI_Request* const two = inactive.data();
  MPI_Status statuses[2];
  int index = 0, flag = 0, indices[2];
  for (int i = 0; i < 2; ++i) {
    expect_error(MPI_Wait(&two[i], &statuses[0]), MPI_SUCCESS, "MPI_Wait");
    expect_empty(statuses[0]);
    expect_error(MPI_Test(&two[i], &flag, &statuses[0]), MPI_SUCCESS, "MPI_Test");
    expect(flag != 0, "MPI_Test says no");
    expect_empty(statuses[0]);
    expect_error(MPI_Request_get_status(two[i], &flag, &statuses[0]), MPI_SUCCESS, "MPI_Request_get_status");
    expect(flag != 0, "MPI_Request_get_status says no");
    expect_empty(statuses[0]);
  }
  MPI_Waitall(2, two, statuses);
  for (const MPI_Status& status : statuses) expect_empty(status);
  MPI_Testall(2, two, &flag, statuses);
  expect(flag != 0, "MPI_Testall says no");
  MPI_Waitany(2, two, &index, &statuses[0]);
  expect_equal(index, MPI_UNDEFINED, "MPI_Waitany's index");
  expect_empty(statuses[0]);
  MPI_Testany(2, two, &index, &flag, &statuses[0]);
  expect_equal(index, MPI_UNDEFINED, "MPI_Testany's index");
  expect(flag != 0, "MPI_Testany says no");
  MPI_Waitsome(2, two, &index, indices, statuses);
  expect_equal(index, MPI_UNDEFINED, "MPI_Waitsome's count");
  MPI_Testsome(2, two, &index, indices, statuses);
  expect_equal(index, MPI_UNDEFINED, "MPI_Testsome's count");
  MPI_Request_get_status_all(2, two, &flag, statuses);
  expect(flag != 0, "MPI_Request_get_status_all says no");
  MPI_Request_get_status_any(2, two, &index, &flag, &statuses[0]);
  expect_equal(index, MPI_UNDEFINED, "MPI_Request_get_status_any's index");
  MPI_Request_get_status_some(2, two, &index, indices, statuses);
  expect_equal(index, MPI_UNDEFINED, "MPI_Request_get_status_some's count");
}

// Each form of completion makes exactly those inactive that it tells of.
void every_form_of_completion_makes_inactive() {
  for (int form = 0; form < 6; ++form) {
    int out = 40 + form, in = -1;
    MPI_Request requests[3];
    MPI_Recv_init(&in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &requests[0]);
    requests[1] = MPI_REQUEST_NULL;
    MPI_Send_init(&out, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD, &requests[2]);
    MPI_Startall(1, &requests[0]);
    MPI_Start(&requests[2]);
    for (int told = 0; told < 2;) {
      int flag = 0, count = 0, index = MPI_UNDEFINED, indices[3];
      if (form == 0) MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
      if (form == 1) MPI_Testany(3, requests, &index, &flag, MPI_STATUS_IGNORE);
      if (form == 2) MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
      if (form == 3) MPI_Testsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
      if (form == 4) MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
      if (form == 5) MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
      if (form < 2 && index != MPI_UNDEFINED) ++told;
      if (form == 2 || form == 3) told += count;
      if (form == 4 || (form == 5 && flag != 0)) told = 2;
    }
    expect_equal(in, out, "what came in form " + std::to_string(form));
    for (MPI_Request* request : {&requests[0], &requests[2]}) {
      expect(*request != MPI_REQUEST_NULL, "a handle is gone");
      expect_error(MPI_Start(request), MPI_SUCCESS, "a second MPI_Start");
    }
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[2]);
  }
}

void freed_while_active_it_goes_on() {
  for (const int bytes : kSizes) {
    const Message out = message(bytes, rank(), 9);
    Message in(out.size());
    MPI_Request send, receive;
    MPI_Recv_init(in.data(), bytes, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, &receive);
    MPI_Ssend_init(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &send);
    MPI_Start(&receive);
    MPI_Start(&send);
    expect_error(MPI_Request_free(&receive), MPI_SUCCESS, "MPI_Request_free of an active receive");
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Start(&send);
    expect_error(MPI_Request_free(&send), MPI_SUCCESS, "MPI_Request_free of an active send");
    Message second(out.size());
    MPI_Recv(second.data(), bytes, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(second == message(bytes, previous(), 9), "wrong content");
    expect(in == second, "the freed receive got something else");  // it came before
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

// Types and communicators that nobody else holds any more.
void what_it_names_may_be_freed() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Datatype type;
  MPI_Type_vector(1000, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  std::vector<int> out(2000, rank()), in(2000, -1);
  MPI_Request requests[2];
  MPI_Send_init(out.data(), 1, type, next(), kTag, comm, &requests[0]);
  MPI_Recv_init(in.data(), 1, type, previous(), kTag, comm, &requests[1]);
  MPI_Type_free(&type);
  MPI_Comm_free(&comm);
  for (int round = 0; round < kRounds; ++round) {
    std::fill(in.begin(), in.end(), -1);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < in.size(); ++i)
      if (in[i] != (i % 2 == 0 ? previous() : -1)) return expect(false, "wrong content at " + std::to_string(i));
  }
  for (MPI_Request& request : requests) MPI_Request_free(&request);
}

void with_nobody() {
  int number = 42;
  MPI_Request requests[2];
  MPI_Send_init(&number, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&number, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &requests[1]);
  for (int round = 0; round < kRounds; ++round) {
    MPI_Startall(2, requests);
    MPI_Status statuses[2];
    MPI_Waitall(2, requests, statuses);
    expect_empty(statuses[0]);
    expect_from_nobody(statuses[1]);
  }
  expect_equal(number, 42, "the buffer");
  for (MPI_Request& request : requests) MPI_Request_free(&request);
}

void it_cannot_be_started_twice() {
  int in = -1;
  MPI_Request request, plain;
  MPI_Recv_init(&in, 1, MPI_INT, rank(), kTag, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  expect_error(MPI_Start(&request), MPI_ERR_REQUEST, "MPI_Start of an active request");
  expect_error(MPI_Startall(1, &request), MPI_ERR_REQUEST, "MPI_Startall of an active request");
  MPI_Irecv(nullptr, 0, MPI_INT, rank(), kTag + 1, MPI_COMM_WORLD, &plain);
  expect_error(MPI_Start(&plain), MPI_ERR_REQUEST, "MPI_Start of a receive that is not persistent");
  MPI_Request null = MPI_REQUEST_NULL;
  expect_error(MPI_Start(&null), MPI_ERR_REQUEST, "MPI_Start of MPI_REQUEST_NULL");
  for (MPI_Request* r : {&request, &plain}) {
    MPI_Cancel(r);
    MPI_Wait(r, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
}

void an_error_leaves_it_usable() {
  const int out[2] = {1, 2};
  int in[2] = {-1, -1};
  MPI_Request request;
  MPI_Recv_init(in, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, &request);
  for (const int count : {2, 1}) {
    MPI_Start(&request);
    MPI_Send(out, count, MPI_INT, next(), kTag, MPI_COMM_WORLD);
    expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), count == 2 ? MPI_ERR_TRUNCATE : MPI_SUCCESS, "MPI_Wait");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  expect_equal(in[0], 1, "what came");
  MPI_Request_free(&request);
}

}  // namespace

int main() {
  return run({{"the same operation again and again", the_same_operation_again_and_again},
              {"in ready mode", in_ready_mode},
              {"ready sends without persistence", ready_sends_without_persistence},
              {"nothing to wait for while inactive", nothing_to_wait_for_while_inactive},
              {"every form of completion makes inactive", every_form_of_completion_makes_inactive},
              {"freed while active it goes on", freed_while_active_it_goes_on},
              {"what it names may be freed", what_it_names_may_be_freed},
              {"with nobody", with_nobody},
              {"it cannot be started twice", it_cannot_be_started_twice},
              {"an error leaves it usable", an_error_leaves_it_usable}});
}
