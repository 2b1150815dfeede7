// Info objects and error codes before MPI_Init, after MPI_Finalize, and from several threads at once.
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "expect.hpp"

namespace {

void set_and_get() {
  MPI_Info info, copy;
  EXPECT_SUCCESS(MPI_Info_create(&info));
  EXPECT_SUCCESS(MPI_Info_set(info, "a", "first"));
  EXPECT_SUCCESS(MPI_Info_set(info, "b", "second"));
  EXPECT_SUCCESS(MPI_Info_dup(info, &copy));
  EXPECT_SUCCESS(MPI_Info_delete(info, "a"));
  int keys = -1, flag = -1, length = -1;
  EXPECT_SUCCESS(MPI_Info_get_nkeys(copy, &keys));
  EXPECT_EQUAL(keys, 2);
  char key[MPI_MAX_INFO_KEY], value[8] = "xxxxxxx";
  EXPECT_SUCCESS(MPI_Info_get_nthkey(copy, 0, key));
  EXPECT_EQUAL(std::strcmp(key, "a"), 0);
  EXPECT_SUCCESS(MPI_Info_get_valuelen(copy, "a", &length, &flag));
  EXPECT_TRUE(flag && length == 5);

  EXPECT_SUCCESS(MPI_Info_get(copy, "a", 3, value, &flag));
  EXPECT_TRUE(flag && std::memcmp(value, "fir\0xxx", 8) == 0);

  int size = 0;
  EXPECT_SUCCESS(MPI_Info_get_string(copy, "a", &size, nullptr, &flag));
  EXPECT_TRUE(flag && size == 6);
  size = 3;
  EXPECT_SUCCESS(MPI_Info_get_string(copy, "a", &size, value, &flag));
  EXPECT_TRUE(flag && size == 6 && std::strcmp(value, "fi") == 0);
  size = 7;
  EXPECT_SUCCESS(MPI_Info_get_string(copy, "missing", &size, value, &flag));
  EXPECT_TRUE(!flag && size == 7);
  EXPECT_SUCCESS(MPI_Info_free(&info));
  EXPECT_SUCCESS(MPI_Info_free(&copy));
  EXPECT_TRUE(info == MPI_INFO_NULL);
}

void tells_how_the_program_was_started() {
  char name[] = "program", argument[] = "x y", *arguments[] = {name, argument};
  MPI_Info info;
  EXPECT_SUCCESS(MPI_Info_create_env(2, arguments, &info));
  char value[MPI_MAX_INFO_VAL];
  int size = sizeof value, flag = 0;
  EXPECT_SUCCESS(MPI_Info_get_string(info, "command", &size, value, &flag));
  EXPECT_TRUE(flag && std::strcmp(value, "program") == 0);
  for (const char* key : {"argv", "host", "arch", "wdir"}) {
    size = sizeof value;
    EXPECT_SUCCESS(MPI_Info_get_string(info, key, &size, value, &flag));
    EXPECT_TRUE(flag && size > 1);
    EXPECT_SUCCESS(MPI_Info_get_string(MPI_INFO_ENV, key, &size, value, &flag));
    EXPECT_EQUAL(flag, 1);
  }
  EXPECT_SUCCESS(MPI_Info_free(&info));
}

void error_codes() {
  int error_class, code, found, length;
  char text[MPI_MAX_ERROR_STRING];
  EXPECT_SUCCESS(MPI_Add_error_class(&error_class));
  EXPECT_SUCCESS(MPI_Add_error_code(error_class, &code));
  EXPECT_SUCCESS(MPI_Error_string(code, text, &length));
  EXPECT_TRUE(length == 0 && text[0] == '\0');
  EXPECT_SUCCESS(MPI_Add_error_string(code, "too blue"));
  EXPECT_SUCCESS(MPI_Error_string(code, text, &length));
  EXPECT_TRUE(length == 8 && std::strcmp(text, "too blue") == 0);
  EXPECT_SUCCESS(MPI_Error_class(code, &found));
  EXPECT_EQUAL(found, error_class);
  EXPECT_SUCCESS(MPI_Remove_error_string(code));
  EXPECT_SUCCESS(MPI_Remove_error_code(code));
  EXPECT_SUCCESS(MPI_Remove_error_class(error_class));
}

void bad_arguments_are_named() {
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Info info;
  MPI_Info_create(&info);
  const std::string long_key(MPI_MAX_INFO_KEY, 'k'), long_value(MPI_MAX_INFO_VAL, 'v');
  EXPECT_ERROR(MPI_Info_set(info, "", "x"), MPI_ERR_INFO_KEY);
  EXPECT_ERROR(MPI_Info_set(info, nullptr, "x"), MPI_ERR_INFO_KEY);
  EXPECT_ERROR(MPI_Info_set(info, long_key.c_str(), "x"), MPI_ERR_INFO_KEY);
  EXPECT_ERROR(MPI_Info_set(info, "k", nullptr), MPI_ERR_INFO_VALUE);
  EXPECT_ERROR(MPI_Info_set(info, "k", long_value.c_str()), MPI_ERR_INFO_VALUE);
  EXPECT_ERROR(MPI_Info_delete(info, "k"), MPI_ERR_INFO_NOKEY);
  char key[MPI_MAX_INFO_KEY];
  EXPECT_ERROR(MPI_Info_get_nthkey(info, 0, key), MPI_ERR_ARG);
  EXPECT_ERROR(MPI_Info_set(MPI_INFO_ENV, "k", "v"), MPI_ERR_INFO);
  MPI_Info env = MPI_INFO_ENV, null = MPI_INFO_NULL, stale = info;
  EXPECT_ERROR(MPI_Info_free(&env), MPI_ERR_INFO);
  EXPECT_ERROR(MPI_Info_free(&null), MPI_ERR_INFO);
  EXPECT_ERROR(MPI_Info_set(MPI_INFO_NULL, "k", "v"), MPI_ERR_INFO);
  EXPECT_SUCCESS(MPI_Info_free(&info));
  EXPECT_ERROR(MPI_Info_set(stale, "k", "v"), MPI_ERR_INFO);
}

void everything_at_once() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int round = 0; round < 200; ++round) {
        set_and_get();
        error_codes();
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  set_and_get();
  tells_how_the_program_was_started();
  everything_at_once();
  MPI_Init(&argc, &argv);
  everything_at_once();
  bad_arguments_are_named();
  const int* last_used;
  int flag, code;
  EXPECT_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last_used, &flag));
  EXPECT_SUCCESS(MPI_Add_error_class(&code));
  EXPECT_TRUE(flag && *last_used == code);
  MPI_Finalize();
  set_and_get();
  tells_how_the_program_was_started();
  everything_at_once();
  return expect::failures != 0;
}
