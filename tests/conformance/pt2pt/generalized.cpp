// Generalized requests: MPI 5.0, 13.2.
#include <thread>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

// What the callbacks of one request have seen.
struct Operation {
  int queries = 0, frees = 0, cancels = 0, cancelled_when_complete = -1;
  int query_returns = MPI_SUCCESS, free_returns = MPI_SUCCESS, cancel_returns = MPI_SUCCESS;
};

int query(void* state, MPI_Status* status) {
  auto* operation = static_cast<Operation*>(state);
  ++operation->queries;
  MPI_Status_set_source(status, 11);
  MPI_Status_set_tag(status, 12);
  MPI_Status_set_elements(status, MPI_INT, 13);
  MPI_Status_set_cancelled(status, operation->cancels);
  return operation->query_returns;
}
int free(void* state) {
  auto* operation = static_cast<Operation*>(state);
  ++operation->frees;
  return operation->free_returns;
}
int cancel(void* state, int complete) {
  auto* operation = static_cast<Operation*>(state);
  ++operation->cancels;
  operation->cancelled_when_complete = complete;
  return operation->cancel_returns;
}

MPI_Request start(Operation* operation) {
  MPI_Request request = MPI_REQUEST_NULL;
  expect_error(MPI_Grequest_start(query, free, cancel, operation, &request), MPI_SUCCESS, "MPI_Grequest_start");
  return request;
}

void expect_told(const MPI_Status& status) { expect_status(status, 11, 12, 13 * static_cast<int>(sizeof(int))); }

void the_status_is_what_the_query_says() {
  Operation operation;
  MPI_Request request = start(&operation);
  int flag = -1;
  MPI_Status status;
  MPI_Test(&request, &flag, &status);
  expect_equal(flag, 0, "the flag before it is complete");
  MPI_Request_get_status(request, &flag, &status);
  expect_equal(flag, 0, "the flag of MPI_Request_get_status");
  expect_equal(operation.queries, 0, "queries before it is complete");
  expect_error(MPI_Grequest_complete(request), MPI_SUCCESS, "MPI_Grequest_complete");
  MPI_Request_get_status(request, &flag, &status);
  expect_equal(flag, 1, "the flag of MPI_Request_get_status afterwards");
  expect_told(status);
  expect_equal(operation.frees, 0, "frees before the end");
  status = {};
  expect_error(MPI_Wait(&request, &status), MPI_SUCCESS, "MPI_Wait");
  expect_told(status);
  expect(request == MPI_REQUEST_NULL, "the handle lives on");
  expect_equal(operation.queries, 2, "queries");
  expect_equal(operation.frees, 1, "frees");
}

void the_query_is_called_without_a_status_too() {
  for (int form = 0; form < 6; ++form) {
    Operation operation;
    MPI_Request request = start(&operation);
    MPI_Grequest_complete(request);
    int flag = 0, index = 0, count = 0;
    if (form == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (form == 1) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (form == 2) MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
    if (form == 3) MPI_Waitsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
    if (form == 4) MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    if (form == 5) MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
    expect(request == MPI_REQUEST_NULL, "the handle lives on in form " + std::to_string(form));
    expect_equal(operation.queries, 1, "queries");
    expect_equal(operation.frees, 1, "frees");
  }
}

void freed_and_completed_in_either_order() {
  for (const bool freed_first : {true, false}) {
    Operation operation;
    MPI_Request request = start(&operation), copy = request;
    if (freed_first) {
      expect_error(MPI_Request_free(&request), MPI_SUCCESS, "MPI_Request_free");
      expect(request == MPI_REQUEST_NULL, "the handle lives on");
      expect_equal(operation.frees, 0, "frees before it is complete");
      expect_error(MPI_Wait(&copy, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, "MPI_Wait for a freed request");
      expect_error(MPI_Grequest_complete(copy), MPI_SUCCESS, "MPI_Grequest_complete");
    } else {
      MPI_Grequest_complete(request);
      expect_equal(operation.frees, 0, "frees before it is freed");
      expect_error(MPI_Request_free(&request), MPI_SUCCESS, "MPI_Request_free");
    }
    expect_equal(operation.frees, 1, "frees");
    expect_equal(operation.queries, 0, "queries");
    expect_error(MPI_Grequest_complete(copy), MPI_ERR_REQUEST, "MPI_Grequest_complete of what is gone");
  }
}

void cancelling_is_the_program_s() {
  Operation operation;
  MPI_Request request = start(&operation);
  expect_error(MPI_Cancel(&request), MPI_SUCCESS, "MPI_Cancel");
  expect_equal(operation.cancels, 1, "cancels");
  expect_equal(operation.cancelled_when_complete, 0, "whether it was complete");
  MPI_Grequest_complete(request);
  operation.cancel_returns = MPI_ERR_OTHER;
  expect_error(MPI_Cancel(&request), MPI_ERR_OTHER, "MPI_Cancel with a function that fails");
  expect_equal(operation.cancelled_when_complete, 1, "whether it was complete");
  MPI_Status status;
  MPI_Wait(&request, &status);
  int flag = 0;
  MPI_Test_cancelled(&status, &flag);
  expect_equal(flag, 1, "whether the status says cancelled");
}

void what_the_callbacks_return_comes_back() {
  int code = 0;
  MPI_Add_error_code(MPI_ERR_OTHER, &code);
  Operation queried{.query_returns = code}, freed{.free_returns = MPI_ERR_IO};
  MPI_Request requests[2] = {start(&queried), start(&freed)};
  for (const MPI_Request& request : requests) MPI_Grequest_complete(request);
  MPI_Request first = requests[0];
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  expect_equal(MPI_Wait(&first, MPI_STATUS_IGNORE), code, "what MPI_Wait returns");
  expect(first == MPI_REQUEST_NULL, "the handle lives on");
  requests[0] = MPI_REQUEST_NULL;
  MPI_Status statuses[2];
  expect_error(MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS, "MPI_Waitall");
  expect_error(statuses[0].MPI_ERROR, MPI_SUCCESS, "the first status");
  expect_error(statuses[1].MPI_ERROR, MPI_ERR_IO, "the second status");
  expect_equal(queried.frees + freed.frees, 2, "frees");
}

void misuse_is_told() {
  Operation operation;
  MPI_Request request = start(&operation);
  MPI_Grequest_complete(request);
  expect_error(MPI_Grequest_complete(request), MPI_ERR_REQUEST, "a second MPI_Grequest_complete");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_error(MPI_Grequest_complete(MPI_REQUEST_NULL), MPI_ERR_REQUEST, "MPI_Grequest_complete of nothing");
  MPI_Irecv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
  expect_error(MPI_Grequest_complete(request), MPI_ERR_REQUEST, "MPI_Grequest_complete of a receive");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// The thread that waits may sleep; the one that completes wakes it.
void another_thread_completes_it() {
  for (int round = 0; round < 20; ++round) {
    Operation operation;
    MPI_Request request = start(&operation);
    std::thread other([request] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      MPI_Grequest_complete(request);
    });
    MPI_Status status;
    expect_error(MPI_Wait(&request, &status), MPI_SUCCESS, "MPI_Wait");
    expect_told(status);
    other.join();
  }
}

}  // namespace

int main() {
  return run({{"the status is what the query says", the_status_is_what_the_query_says},
              {"the query is called without a status, too", the_query_is_called_without_a_status_too},
              {"freed and completed in either order", freed_and_completed_in_either_order},
              {"cancelling is the program's", cancelling_is_the_program_s},
              {"what the callbacks return comes back", what_the_callbacks_return_comes_back},
              {"misuse is told", misuse_is_told},
              {"another thread completes it", another_thread_completes_it}},
             MPI_THREAD_MULTIPLE);
}
