// Error handlers of the user's: what they are given, that they may return, call MPI or jump away, and how long they
// live.
#include <csetjmp>
#include <cstring>

#include "expect.hpp"

namespace {

int calls = 0;
int last_code = 0;
MPI_Comm last_comm = MPI_COMM_NULL;
std::jmp_buf escape;

void note(MPI_Comm* comm, int* code, ...) {
  ++calls;
  last_comm = *comm;
  last_code = *code;
}

void use_mpi(MPI_Comm* comm, int* code, ...) {
  note(comm, code);
  int rank = -1;
  EXPECT_SUCCESS(MPI_Comm_rank(*comm, &rank));
  EXPECT_SUCCESS(MPI_Barrier(*comm));
}

void jump(MPI_Comm* comm, int* code, ...) {
  note(comm, code);
  std::longjmp(escape, 1);
}

void fail_again(MPI_Comm* comm, int* code, ...) {
  note(comm, code);
  if (calls < 5) MPI_Send(nullptr, -1, MPI_INT, 0, 0, *comm);
}

MPI_Comm with_handler(MPI_Comm_errhandler_function* function) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Errhandler handler;
  EXPECT_SUCCESS(MPI_Comm_create_errhandler(function, &handler));
  EXPECT_SUCCESS(MPI_Comm_set_errhandler(comm, handler));
  EXPECT_SUCCESS(MPI_Errhandler_free(&handler));
  EXPECT_TRUE(handler == MPI_ERRHANDLER_NULL);
  calls = last_code = 0;
  last_comm = MPI_COMM_NULL;
  return comm;
}

void is_given_the_communicator_and_the_code() {
  MPI_Comm comm = with_handler(note);
  EXPECT_ERROR(MPI_Send(nullptr, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
  EXPECT_EQUAL(calls, 1);
  EXPECT_TRUE(last_comm == comm);
  EXPECT_ERROR(last_code, MPI_ERR_COUNT);
  MPI_Comm_free(&comm);
}

void may_call_mpi_and_fail_itself() {
  MPI_Comm comm = with_handler(use_mpi);
  EXPECT_ERROR(MPI_Send(nullptr, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
  EXPECT_EQUAL(calls, 1);
  MPI_Comm_free(&comm);
  comm = with_handler(fail_again);
  EXPECT_ERROR(MPI_Send(nullptr, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
  EXPECT_EQUAL(calls, 5);
  MPI_Comm_free(&comm);
}

void may_jump_away() {
  constexpr bool kCameBack = true;
  MPI_Comm comm = with_handler(jump);
  while (calls < 1000) {
    if (setjmp(escape) == 0) {
      MPI_Send(nullptr, -1, MPI_INT, 0, 0, comm);
      EXPECT_TRUE(!kCameBack);
    }
  }
  EXPECT_EQUAL(calls, 1000);
  if (setjmp(escape) == 0) {
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    EXPECT_TRUE(!kCameBack);
  }
  EXPECT_EQUAL(calls, 1001);
  EXPECT_SUCCESS(MPI_Barrier(comm));
  MPI_Comm_free(&comm);
}

void is_inherited_by_children() {
  MPI_Comm comm = with_handler(note), child;
  MPI_Comm_dup(comm, &child);
  EXPECT_ERROR(MPI_Send(nullptr, -1, MPI_INT, 0, 0, child), MPI_ERR_COUNT);
  EXPECT_TRUE(last_comm == child);
  MPI_Comm_free(&child);
  MPI_Comm_split(comm, 0, 0, &child);
  EXPECT_ERROR(MPI_Send(nullptr, -1, MPI_INT, 0, 0, child), MPI_ERR_COUNT);
  EXPECT_TRUE(last_comm == child);
  MPI_Comm_free(&child);
  MPI_Comm_free(&comm);
}

// An operation that fails when it is waited for tells the communicator that it was started on.
void hears_of_operations_that_fail_later() {
  MPI_Comm comm = with_handler(note);
  int rank, value = 7, too_small = 0, long_message[2] = {1, 2};
  MPI_Comm_rank(comm, &rank);
  (void)value;
  MPI_Request requests[2];
  MPI_Irecv(&too_small, 1, MPI_INT, rank, 0, comm, &requests[0]);
  MPI_Isend(long_message, 2, MPI_INT, rank, 0, comm, &requests[1]);
  EXPECT_ERROR(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
  EXPECT_EQUAL(calls, 1);
  EXPECT_TRUE(last_comm == comm);
  EXPECT_SUCCESS(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
  // The same, when the communicator has been freed meanwhile.
  MPI_Irecv(&too_small, 1, MPI_INT, rank, 0, comm, &requests[0]);
  MPI_Isend(long_message, 2, MPI_INT, rank, 0, comm, &requests[1]);
  MPI_Comm_free(&comm);
  EXPECT_ERROR(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
  EXPECT_EQUAL(calls, 2);
  EXPECT_SUCCESS(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
}

void lives_while_it_is_set_and_its_handle_is_found_again() {
  MPI_Comm comm = with_handler(note);
  MPI_Errhandler first, second;
  EXPECT_SUCCESS(MPI_Comm_get_errhandler(comm, &first));
  EXPECT_SUCCESS(MPI_Comm_get_errhandler(comm, &second));
  EXPECT_TRUE(first == second);
  EXPECT_SUCCESS(MPI_Errhandler_free(&first));
  EXPECT_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, second));
  EXPECT_SUCCESS(MPI_Errhandler_free(&second));
  EXPECT_SUCCESS(MPI_Comm_call_errhandler(comm, MPI_ERR_TAG));
  EXPECT_ERROR(last_code, MPI_ERR_TAG);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  EXPECT_SUCCESS(MPI_Comm_call_errhandler(comm, MPI_ERR_TAG));
  EXPECT_EQUAL(calls, 1);
  EXPECT_SUCCESS(MPI_Comm_get_errhandler(comm, &first));
  EXPECT_TRUE(first == MPI_ERRORS_RETURN);
  EXPECT_SUCCESS(MPI_Errhandler_free(&first));
  MPI_Comm_free(&comm);
}

void note_session(MPI_Session*, int*, ...) {}
void note_window(MPI_Win*, int*, ...) {}
void note_file(MPI_File*, int*, ...) {}

void of_another_kind_is_refused() {
  MPI_Comm comm = with_handler(note);
  MPI_Errhandler wrong[3];
  EXPECT_SUCCESS(MPI_Session_create_errhandler(note_session, &wrong[0]));
  EXPECT_SUCCESS(MPI_Win_create_errhandler(note_window, &wrong[1]));
  EXPECT_SUCCESS(MPI_File_create_errhandler(note_file, &wrong[2]));
  for (MPI_Errhandler& handler : wrong) {
    EXPECT_ERROR(MPI_Comm_set_errhandler(comm, handler), MPI_ERR_ERRHANDLER);
    EXPECT_SUCCESS(MPI_Errhandler_free(&handler));
  }
  EXPECT_ERROR(MPI_Comm_call_errhandler(comm, 123456789), MPI_ERR_ARG);
  MPI_Comm_free(&comm);
}

// Errors that belong to no object go to MPI_COMM_SELF's handler.
void of_comm_self_gets_what_belongs_nowhere() {
  MPI_Comm comm = with_handler(note);
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(comm, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Datatype type;
  EXPECT_ERROR(MPI_Type_contiguous(-1, MPI_INT, &type), MPI_ERR_COUNT);
  EXPECT_EQUAL(calls, 1);
  EXPECT_TRUE(last_comm == MPI_COMM_SELF);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  is_given_the_communicator_and_the_code();
  may_call_mpi_and_fail_itself();
  may_jump_away();
  is_inherited_by_children();
  hears_of_operations_that_fail_later();
  lives_while_it_is_set_and_its_handle_is_found_again();
  of_another_kind_is_refused();
  of_comm_self_gets_what_belongs_nowhere();
  MPI_Finalize();
  return expect::failures != 0;
}
