// The functions that a program gives to MPI run with no lock held: they call MPI, and what they wait for another
// thread brings about in MPI meanwhile. Generalized requests (MPI 5.0, 13.2), attributes (7.7), error handlers (9.3),
// operations (6.9.5).
#include <thread>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

int uses = 0;  // of use_mpi, whose caller holds nothing, so one at a time

// As a function of the user's would: asks, and waits for a message that another thread of the process sends.
void use_mpi() {
  int size_of_int = 0;
  MPI_Type_size(MPI_INT, &size_of_int);
  expect_equal(size_of_int, static_cast<int>(sizeof(int)), "the size of MPI_INT, asked in a callback");
  std::thread sender([] {
    const int out = 42;
    MPI_Send(&out, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
  });
  int in = 0;
  MPI_Recv(&in, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  sender.join();
  expect_equal(in, 42, "what the other thread sent");
  ++uses;
}

int query(void*, MPI_Status* status) {
  use_mpi();
  MPI_Status_set_elements(status, MPI_INT, 1);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
int free_state(void*) {
  use_mpi();
  return MPI_SUCCESS;
}
int cancel(void*, int) {
  use_mpi();
  return MPI_SUCCESS;
}

void generalized_requests() {
  uses = 0;
  MPI_Request request;
  MPI_Grequest_start(query, free_state, cancel, nullptr, &request);
  MPI_Cancel(&request);
  expect_equal(uses, 1, "the uses of a cancel function");
  std::thread worker([request] { MPI_Grequest_complete(request); });
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  worker.join();
  expect_equal(uses, 3, "the uses of query and free functions");
}

int copy_value(MPI_Comm, int, void*, void* value, void* copied, int* flag) {
  use_mpi();
  *static_cast<void**>(copied) = value;
  *flag = 1;
  return MPI_SUCCESS;
}
int delete_value(MPI_Comm, int, void*, void*) {
  use_mpi();
  return MPI_SUCCESS;
}

void attributes() {
  uses = 0;
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(copy_value, delete_value, &key, nullptr);
  MPI_Comm first, second, third;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_set_attr(first, key, &uses);
  MPI_Comm_dup(first, &second);
  MPI_Request request;
  MPI_Comm_idup(first, &third, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_equal(uses, 2, "the uses of a copy function");
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
  MPI_Comm_free(&third);
  expect_equal(uses, 5, "the uses of copy and delete functions");
  MPI_Comm_free_keyval(&key);
}

void on_error(MPI_Comm*, int*, ...) { use_mpi(); }

void error_handlers() {
  uses = 0;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(on_error, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  MPI_Send(nullptr, 0, MPI_INT, size(), 0, comm);
  MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  expect_equal(uses, 2, "the uses of an error handler");
  MPI_Comm_free(&comm);
}

void add(void* given, void* result, int* count, MPI_Datatype*) {
  use_mpi();
  for (int i = 0; i < *count; ++i) static_cast<int*>(result)[i] += static_cast<int*>(given)[i];
}

void operations() {
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  for (const int count : {1, 5000}) {
    const std::vector<int> mine(static_cast<std::size_t>(count), rank() + 1);
    std::vector<int> sum(mine.size()), later(mine.size());
    MPI_Request request;
    MPI_Iallreduce(mine.data(), later.data(), count, MPI_INT, op, MPI_COMM_WORLD, &request);
    MPI_Allreduce(mine.data(), sum.data(), count, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_equal(sum.back(), size() * (size() + 1) / 2, "a sum");
    expect_equal(later.back(), sum.back(), "the same without blocking");
  }
  MPI_Op_free(&op);
}

}  // namespace

int main() {
  return run({{"the functions of a generalized request use MPI", generalized_requests},
              {"attribute functions use MPI", attributes},
              {"error handlers use MPI", error_handlers},
              {"operations use MPI", operations}},
             MPI_THREAD_MULTIPLE);
}
