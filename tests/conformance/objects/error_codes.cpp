// What a returned code tells: its class, and the sentence that a fatal error would have printed.
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "expect.hpp"

namespace {

std::string string_of(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = -1;
  EXPECT_SUCCESS(MPI_Error_string(code, text, &length));
  EXPECT_EQUAL(length, std::strlen(text));
  return text;
}

bool tells(int code, const std::string& part) {
  const std::string whole = string_of(code);
  if (whole.find(part) != std::string::npos) return true;
  std::fprintf(stderr, "'%s' does not say '%s'\n", whole.c_str(), part.c_str());
  return false;
}

int send(int count) { return MPI_Send(nullptr, count, MPI_INT, 0, 0, MPI_COMM_SELF); }

void each_code_tells_its_own_error() {
  const int first = send(-5), second = send(-6);
  EXPECT_ERROR(first, MPI_ERR_COUNT);
  EXPECT_ERROR(second, MPI_ERR_COUNT);
  EXPECT_TRUE(tells(first, "MPI_Send on MPI_COMM_SELF: MPI_ERR_COUNT: count=-5 is negative"));
  EXPECT_TRUE(tells(second, "count=-6 is negative"));
}

void a_class_tells_what_it_stands_for() {
  (void)send(-5);
  EXPECT_ERROR(MPI_ERR_COUNT, MPI_ERR_COUNT);
  EXPECT_TRUE(string_of(MPI_ERR_COUNT).find("-5") == std::string::npos);
}

void an_old_code_still_tells_its_class() {
  const int old = send(-5);
  for (int i = 0; i < 2000; ++i) (void)send(-7);
  EXPECT_ERROR(old, MPI_ERR_COUNT);
  EXPECT_TRUE(string_of(old) == string_of(MPI_ERR_COUNT));
}

void numbers_that_nobody_gave_out_are_none() {
  int error_class = 0;
  for (const int code : {0x40000000, 0x7fffffff, 0x3fffffff, -1})
    EXPECT_ERROR(MPI_Error_class(code, &error_class), MPI_ERR_ARG);
  int added = 0;
  const int code = send(-5);
  EXPECT_ERROR(MPI_Add_error_code(code, &added), MPI_ERR_ARG);
  EXPECT_ERROR(MPI_Add_error_string(code, "mine"), MPI_ERR_ARG);
}

void a_status_has_such_a_code() {
  int in[2] = {}, out[3] = {};
  MPI_Request requests[2];
  MPI_Status statuses[2];
  for (int i = 0; i < 2; ++i) MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
  MPI_Send(out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Send(out, 3, MPI_INT, 0, 1, MPI_COMM_SELF);
  EXPECT_EQUAL(MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
  EXPECT_EQUAL(statuses[0].MPI_ERROR, MPI_SUCCESS);
  EXPECT_ERROR(statuses[1].MPI_ERROR, MPI_ERR_TRUNCATE);
  EXPECT_TRUE(tells(statuses[1].MPI_ERROR, "MPI_Waitall on MPI_COMM_SELF: MPI_ERR_TRUNCATE:"));
  EXPECT_TRUE(tells(statuses[1].MPI_ERROR, "12 bytes"));
}

int given = 0;
void note(MPI_Comm*, int* code, ...) { given = *code; }

void an_error_handler_is_given_the_code_that_the_call_returns() {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(note, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  const int returned = send(-5);
  EXPECT_EQUAL(given, returned);
  EXPECT_TRUE(tells(given, "count=-5"));
  const int earlier = returned;
  EXPECT_SUCCESS(MPI_Comm_call_errhandler(MPI_COMM_SELF, earlier));
  EXPECT_EQUAL(given, earlier);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&handler);
}

// What a function of the program's returns comes back as it is: a class, a code of its own, or a code that it got.
int to_return = 0;
int refuse(MPI_Comm, int, void*, void*) { return to_return; }

void codes_of_the_program_come_back_unchanged() {
  int key, added;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &key, nullptr);
  MPI_Comm_set_attr(comm, key, nullptr);
  MPI_Add_error_code(MPI_ERR_OTHER, &added);
  for (const int code : {MPI_ERR_RANK, added, send(-5)}) {
    to_return = code;
    EXPECT_EQUAL(MPI_Comm_delete_attr(comm, key), code);
  }
  to_return = MPI_SUCCESS;
  EXPECT_SUCCESS(MPI_Comm_delete_attr(comm, key));
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&comm);
  MPI_Remove_error_code(added);
}

// What has something of its own stays until that is gone.
void classes_and_codes_in_use_stay() {
  int error_class, code;
  MPI_Add_error_class(&error_class);
  MPI_Add_error_string(error_class, "too blue");
  EXPECT_ERROR(MPI_Remove_error_class(error_class), MPI_ERR_ARG);
  EXPECT_SUCCESS(MPI_Remove_error_string(error_class));
  MPI_Add_error_code(error_class, &code);
  EXPECT_ERROR(MPI_Remove_error_class(error_class), MPI_ERR_ARG);
  MPI_Add_error_string(code, "much too blue");
  EXPECT_ERROR(MPI_Remove_error_code(code), MPI_ERR_ARG);
  EXPECT_SUCCESS(MPI_Remove_error_string(code));
  EXPECT_SUCCESS(MPI_Remove_error_code(code));
  EXPECT_SUCCESS(MPI_Remove_error_class(error_class));
}

void threads_do_not_mix_their_errors_up() {
  std::vector<std::thread> threads;
  for (int t = 1; t <= 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 200; ++i)
        if (!tells(send(-t), "count=-" + std::to_string(t) + " is negative"))
          return expect::fail(__FILE__, __LINE__, "the sentence", i, t);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  each_code_tells_its_own_error();
  classes_and_codes_in_use_stay();
  a_class_tells_what_it_stands_for();
  an_old_code_still_tells_its_class();
  numbers_that_nobody_gave_out_are_none();
  a_status_has_such_a_code();
  an_error_handler_is_given_the_code_that_the_call_returns();
  codes_of_the_program_come_back_unchanged();
  threads_do_not_mix_their_errors_up();
  MPI_Finalize();
  return expect::failures != 0;
}
