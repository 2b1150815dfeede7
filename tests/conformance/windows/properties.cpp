// What a window has besides memory: a name, hints, an error handler, a number for other languages.
#include <cstring>
#include <string>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

class SomeWindow {
 public:
  explicit SomeWindow(MPI_Info info = MPI_INFO_NULL) {
    MPI_Win_allocate(64, 1, info, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  }
  ~SomeWindow() { MPI_Win_free(&win); }
  SomeWindow(const SomeWindow&) = delete;
  SomeWindow& operator=(const SomeWindow&) = delete;

  void* base = nullptr;
  MPI_Win win = MPI_WIN_NULL;
};

std::string name_of(MPI_Win win) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  expect_error(MPI_Win_get_name(win, name, &length), MPI_SUCCESS, "MPI_Win_get_name");
  expect_equal(length, static_cast<int>(std::strlen(name)), "the length of the name");
  return name;
}

void name() {
  const SomeWindow window;
  expect_equal(name_of(window.win), std::string(), "the name of a new window");
  MPI_Win_set_name(window.win, "halo");
  expect_equal(name_of(window.win), std::string("halo"), "the name");
  const std::string longer(MPI_MAX_OBJECT_NAME + 10, 'x');
  MPI_Win_set_name(window.win, longer.c_str());
  expect_equal(name_of(window.win), longer.substr(0, MPI_MAX_OBJECT_NAME - 1), "a name that was too long");
  expect_equal(name_of(MPI_WIN_NULL), std::string("MPI_WIN_NULL"), "the name of no window");
}

std::string hint(MPI_Win win, const char* key) {
  MPI_Info info;
  MPI_Win_get_info(win, &info);
  char value[MPI_MAX_INFO_VAL] = "(none)";
  int length = MPI_MAX_INFO_VAL, flag = 0;
  MPI_Info_get_string(info, key, &length, value, &flag);
  MPI_Info_free(&info);
  return flag ? value : "(none)";
}

void hints() {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Info_set(info, "same_size", "true");
  MPI_Info_set(info, "accumulate_ordering", "rar,waw");
  MPI_Info_set(info, "accumulate_ops", "whatever");
  MPI_Info_set(info, "mpi_accumulate_granularity", "64");
  MPI_Info_set(info, "a key of nobody's", "value");
  const SomeWindow window(info);
  MPI_Info_set(info, "no_locks", "no");
  expect_equal(hint(window.win, "no_locks"), std::string("true"), "no_locks");
  expect_equal(hint(window.win, "same_size"), std::string("true"), "same_size");
  expect_equal(hint(window.win, "same_disp_unit"), std::string("false"), "same_disp_unit");
  expect_equal(hint(window.win, "accumulate_ordering"), std::string("rar,waw"), "accumulate_ordering");
  expect_equal(hint(window.win, "accumulate_ops"), std::string("same_op_no_op"), "accumulate_ops");
  expect_equal(hint(window.win, "a key of nobody's"), std::string("(none)"), "an unknown key");
  expect_equal(hint(window.win, "mpi_accumulate_granularity"), std::string("64"), "mpi_accumulate_granularity");
  MPI_Info_set(info, "same_size", "false");
  MPI_Info_set(info, "mpi_accumulate_granularity", "128");
  MPI_Info_set(info, "accumulate_ordering", "none");
  expect_error(MPI_Win_set_info(window.win, info), MPI_SUCCESS, "MPI_Win_set_info");
  expect_equal(hint(window.win, "no_locks"), std::string("true"), "no_locks after a bad value");
  expect_equal(hint(window.win, "same_size"), std::string("true"), "what is said once");
  expect_equal(hint(window.win, "mpi_accumulate_granularity"), std::string("64"), "what is in use already");
  expect_equal(hint(window.win, "accumulate_ordering"), std::string("none"), "what can be said again");
  expect_error(MPI_Win_set_info(window.win, MPI_INFO_NULL), MPI_SUCCESS, "MPI_Win_set_info of nothing");
  MPI_Info_free(&info);
}

// All processes have promised it, so all hear that one has not kept it.
void broken_promises() {
  const auto made = [](const char* promise, MPI_Aint bytes, int unit) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, promise, "true");
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    char* base = nullptr;
    MPI_Win win = MPI_WIN_NULL;
    const int code = MPI_Win_allocate(bytes, unit, info, comm, &base, &win);
    if (win != MPI_WIN_NULL) MPI_Win_free(&win);
    MPI_Comm_free(&comm);
    MPI_Info_free(&info);
    return code;
  };
  const bool last = rank() == size() - 1;
  expect_error(made("same_size", last ? 8 : 16, last ? 2 : 1), MPI_ERR_SIZE, "another size");
  expect_error(made("same_disp_unit", last ? 8 : 16, last ? 2 : 1), MPI_ERR_DISP, "another unit");
  expect_error(made("same_size", 16, last ? 2 : 1), MPI_SUCCESS, "the same size");
  expect_error(made("same_disp_unit", last ? 8 : 16, 2), MPI_SUCCESS, "the same unit");
}

int calls = 0, code_seen = 0;
MPI_Win window_seen = MPI_WIN_NULL;
void on_error(MPI_Win* win, int* code, ...) {
  ++calls;
  window_seen = *win;
  code_seen = *code;
}

void on_comm_error(MPI_Comm*, int*, ...) {}

void errhandler() {
  SomeWindow window;
  MPI_Errhandler mine, of_comms, found;
  MPI_Win_create_errhandler(on_error, &mine);
  expect_error(MPI_Win_set_errhandler(window.win, mine), MPI_SUCCESS, "MPI_Win_set_errhandler");
  MPI_Win_get_errhandler(window.win, &found);
  expect(found == mine, "the error handler is the one that was set");
  MPI_Errhandler_free(&found);
  MPI_Errhandler_free(&mine);

  expect_error(MPI_Win_set_attr(window.win, MPI_WIN_BASE, nullptr), MPI_ERR_KEYVAL, "setting a predefined attribute");
  expect_equal(calls, 1, "calls of the error handler");
  expect(window_seen == window.win, "the error handler is given the window");
  expect_error(code_seen, MPI_ERR_KEYVAL, "the error code it is given");
  expect_error(MPI_Win_call_errhandler(window.win, MPI_ERR_OTHER), MPI_SUCCESS, "MPI_Win_call_errhandler");
  expect_equal(calls, 2, "calls of the error handler");
  expect_equal(code_seen, int{MPI_ERR_OTHER}, "the error code it is given");

  MPI_Comm_create_errhandler(on_comm_error, &of_comms);
  expect_error(MPI_Win_set_errhandler(window.win, of_comms), MPI_ERR_ERRHANDLER, "a communicator's error handler");
  MPI_Errhandler_free(&of_comms);
}

void fatal_from_the_beginning() {
  void* base = nullptr;
  MPI_Win win;
  MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);  // MPI_COMM_WORLD's errors return
  MPI_Errhandler found;
  MPI_Win_get_errhandler(win, &found);
  expect(found == MPI_ERRORS_ARE_FATAL, "errors of a new window are fatal");
  MPI_Win_free(&win);
}

void number() {
  const SomeWindow window;
  expect(MPI_Win_fromint(MPI_Win_toint(window.win)) == window.win, "the number leads back to the window");
  expect(MPI_Win_f2c(MPI_Win_c2f(window.win)) == window.win, "Fortran's number leads back to the window");
  expect(MPI_Win_fromint(MPI_Win_toint(MPI_WIN_NULL)) == MPI_WIN_NULL, "the number of no window");
}

int file_calls = 0;
void on_file_error(MPI_File* file, int*, ...) { file_calls += *file == MPI_FILE_NULL; }

// There is no file, but there is its error handler.
void no_file() {
  MPI_Errhandler found, mine, of_windows;
  expect_error(MPI_File_get_errhandler(MPI_FILE_NULL, &found), MPI_SUCCESS, "MPI_File_get_errhandler");
  expect(found == MPI_ERRORS_RETURN, "errors of files return from the beginning");
  MPI_File_create_errhandler(on_file_error, &mine);
  MPI_Win_create_errhandler(on_error, &of_windows);
  expect_error(MPI_File_set_errhandler(MPI_FILE_NULL, of_windows), MPI_ERR_ERRHANDLER, "a window's error handler");
  expect_error(MPI_File_set_errhandler(MPI_FILE_NULL, mine), MPI_SUCCESS, "MPI_File_set_errhandler");
  expect_error(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_NO_SUCH_FILE), MPI_SUCCESS,
               "MPI_File_call_errhandler");
  expect_equal(file_calls, 1, "calls of the error handler");
  const auto nonsense = reinterpret_cast<MPI_File>(0x1234567);
  expect_error(MPI_File_get_errhandler(nonsense, &found), MPI_ERR_FILE, "what is no file");
  expect_equal(file_calls, 2, "calls of the error handler");
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&mine);
  MPI_Errhandler_free(&of_windows);
}

}  // namespace

int main() {
  return run({{"a window has a name", name},
              {"a window has hints", hints},
              {"what info promises has to be true", broken_promises, {.least = 2}},
              {"a window has an error handler", errhandler},
              {"a new window's errors are fatal", fatal_from_the_beginning},
              {"a window has a number", number},
              {"MPI_FILE_NULL has an error handler", no_file}});
}
