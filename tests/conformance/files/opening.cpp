// Files as objects: opening, closing, deleting, modes, sizes, hints, error handlers.
#include "some_file.hpp"

using namespace conformance;

namespace {

void modes() {
  SomeFile some(MPI_MODE_CREATE | MPI_MODE_WRONLY);
  int amode = 0, number = 0;
  expect_error(MPI_File_get_amode(some.file, &amode), MPI_SUCCESS, "MPI_File_get_amode");
  expect_equal(amode, MPI_MODE_CREATE | MPI_MODE_WRONLY, "the mode");
  expect_error(MPI_File_write_at(some.file, rank() * 4, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS,
               "writing");
  expect_error(MPI_File_read_at(some.file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS,
               "reading a file for writing");
  some.reopen(MPI_MODE_RDONLY);
  expect_error(MPI_File_write_at(some.file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY,
               "writing a file for reading");
  expect_error(MPI_File_set_size(some.file, 0), MPI_ERR_READ_ONLY, "cutting a file for reading");
  expect_equal(size_of(some.file), MPI_Offset{4} * size(), "the size after refusals");
}

void wrong_modes() {
  const std::string path = name_for_a_file();
  MPI_File file = MPI_FILE_NULL;
  for (const int amode :
       {0, MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_MODE_WRONLY | MPI_MODE_RDWR, MPI_MODE_RDONLY | MPI_MODE_CREATE,
        MPI_MODE_RDONLY | MPI_MODE_EXCL, MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, MPI_MODE_RDWR | (1 << 20)})
    expect_error(MPI_File_open(MPI_COMM_WORLD, path.c_str(), amode, MPI_INFO_NULL, &file), MPI_ERR_AMODE,
                 "mode " + std::to_string(amode));
  expect(file == MPI_FILE_NULL, "a handle of a file that was not opened");
}

void one_rank_is_wrong() {
  const std::string path = name_for_a_file();
  MPI_File file = MPI_FILE_NULL;
  const int amode = rank() == size() - 1 ? 0 : MPI_MODE_CREATE | MPI_MODE_RDWR;
  expect_error(MPI_File_open(MPI_COMM_WORLD, path.c_str(), amode, MPI_INFO_NULL, &file), MPI_ERR_AMODE,
               "opening with a wrong mode on the last rank");
  const int other = rank() == 0 ? MPI_MODE_RDWR | MPI_MODE_CREATE : MPI_MODE_WRONLY | MPI_MODE_CREATE;
  if (size() == 1) return;
  expect_error(MPI_File_open(MPI_COMM_WORLD, path.c_str(), other, MPI_INFO_NULL, &file), MPI_ERR_NOT_SAME,
               "opening with different modes");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) MPI_File_delete(path.c_str(), MPI_INFO_NULL);
}

void missing_and_existing() {
  const std::string path = name_for_a_file();
  MPI_File file = MPI_FILE_NULL;
  expect_error(MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &file), MPI_ERR_NO_SUCH_FILE,
               "opening a file that is not there");
  SomeFile some(MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR);
  const int again = MPI_File_open(MPI_COMM_WORLD, some.path.c_str(), MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR,
                                  MPI_INFO_NULL, &file);
  expect_error(again, MPI_ERR_FILE_EXISTS, "creating a file that is there");
  expect(text_of(again).find(some.path) != std::string::npos, "the message names no path: " + text_of(again));
}

void names_that_are_no_files() {
  MPI_File file = MPI_FILE_NULL;
  const std::string missing = name_for_a_file() + "/file", longest(5000, 'x');
  const auto open = [&](const std::string& path) {
    return MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
  };
  expect_error(open("/tmp"), MPI_ERR_BAD_FILE, "opening a folder");
  expect_error(open(missing), MPI_ERR_NO_SUCH_FILE, "opening a file in a folder that is not there");
  expect_error(open("/tmp/" + longest), MPI_ERR_BAD_FILE, "opening a name that is too long");
  expect_error(open("/proc/self/no_file"), MPI_ERR_NO_SUCH_FILE, "creating a file in /proc");
}

void all_may_delete() {
  const std::string path = name_for_a_file();
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_close(&file);
  expect(file == MPI_FILE_NULL, "the handle of a closed file");
  const int returned = MPI_File_delete(path.c_str(), MPI_INFO_NULL);
  int succeeded = returned == MPI_SUCCESS ? 1 : 0, all = 0;
  if (succeeded == 0) expect_error(returned, MPI_ERR_NO_SUCH_FILE, "deleting what another rank has deleted");
  MPI_Allreduce(&succeeded, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect_equal(all, 1, "ranks that have deleted the file");
}

void deleted_on_close() {
  SomeFile some(MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  const std::string path = some.path;
  some.close();
  MPI_File file;
  expect_error(MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &file), MPI_ERR_NO_SUCH_FILE,
               "opening a file that was deleted on close");
}

void sizes() {
  SomeFile some;
  expect_error(MPI_File_set_size(some.file, 1000), MPI_SUCCESS, "MPI_File_set_size");
  expect_equal(size_of(some.file), MPI_Offset{1000}, "the size");
  expect_error(MPI_File_preallocate(some.file, 500), MPI_SUCCESS, "MPI_File_preallocate of less");
  expect_equal(size_of(some.file), MPI_Offset{1000}, "the size after reserving less");
  expect_error(MPI_File_preallocate(some.file, 5000), MPI_SUCCESS, "MPI_File_preallocate");
  expect_equal(size_of(some.file), MPI_Offset{5000}, "the size after reserving more");
  MPI_Barrier(MPI_COMM_WORLD);
  expect_error(MPI_File_set_size(some.file, rank() == 0 ? 1 : -1), size() == 1 ? MPI_SUCCESS : MPI_ERR_ARG,
               "a negative size on all ranks but one");
  if (size() > 1) expect_error(MPI_File_set_size(some.file, rank()), MPI_ERR_NOT_SAME, "different sizes");
  MPI_Barrier(MPI_COMM_WORLD);
  expect_equal(size_of(some.file), MPI_Offset{size() == 1 ? 1 : 5000}, "the size after refusals");
}

void groups() {
  SomeFile some;
  MPI_Group mine, worlds;
  int result = MPI_UNEQUAL;
  MPI_File_get_group(some.file, &mine);
  MPI_Comm_group(MPI_COMM_WORLD, &worlds);
  MPI_Group_compare(mine, worlds, &result);
  expect_equal(result, static_cast<int>(MPI_IDENT), "the comparison of the groups");
  MPI_Group_free(&mine);
  MPI_Group_free(&worlds);
}

void hints() {
  const Hints given{{"cb_nodes", "1"},
                    {"cb_buffer_size", "65536"},
                    {"romio_cb_write", "enable"},
                    {"romio_ds_read", "disable"},
                    {"a key of nobody's", "value"},
                    {"file_perm", "0640"}};
  SomeFile some(MPI_MODE_CREATE | MPI_MODE_RDWR, given.info);
  expect_equal(hint_of(some.file, "cb_nodes"), std::string("1"), "cb_nodes");
  expect_equal(hint_of(some.file, "cb_buffer_size"), std::string("65536"), "cb_buffer_size");
  expect_equal(hint_of(some.file, "romio_cb_write"), std::string("enable"), "romio_cb_write");
  expect_equal(hint_of(some.file, "romio_cb_read"), std::string("automatic"), "romio_cb_read");
  expect_equal(hint_of(some.file, "romio_ds_read"), std::string("disable"), "romio_ds_read");
  expect_equal(hint_of(some.file, "file_perm"), std::string("0640"), "file_perm");
  expect_equal(hint_of(some.file, "a key of nobody's"), std::string("(none)"), "an unknown key");
  const Hints others{{"cb_nodes", "many"}, {"romio_cb_write", "disable"}};
  expect_error(MPI_File_set_info(some.file, others.info), MPI_SUCCESS, "MPI_File_set_info");
  expect_equal(hint_of(some.file, "cb_nodes"), std::string("1"), "cb_nodes after a wrong value");
  expect_equal(hint_of(some.file, "romio_cb_write"), std::string("disable"), "romio_cb_write after a change");
  expect_error(MPI_File_set_info(some.file, MPI_INFO_NULL), MPI_SUCCESS, "MPI_File_set_info of nothing");
}

void appended() {
  SomeFile some;
  const int number = rank();
  MPI_File_write_at(some.file, rank() * 4, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
  some.reopen(MPI_MODE_WRONLY | MPI_MODE_APPEND);
  MPI_Offset own = -1, shared = -1;
  MPI_File_get_position(some.file, &own);
  MPI_File_get_position_shared(some.file, &shared);
  expect_equal(own, MPI_Offset{4} * size(), "a pointer of a file that is opened to append");
  expect_equal(shared, MPI_Offset{4} * size(), "the shared pointer of a file that is opened to append");
}

int calls = 0;
MPI_File called_for = MPI_FILE_NULL;
void count_call(MPI_File* file, int*, ...) {
  ++calls;
  called_for = *file;
}

void error_handlers() {
  MPI_Errhandler counting, before;
  MPI_File_create_errhandler(count_call, &counting);
  MPI_File_get_errhandler(MPI_FILE_NULL, &before);
  expect(before == MPI_ERRORS_RETURN, "the default error handler of files");
  MPI_File_set_errhandler(MPI_FILE_NULL, counting);
  {
    SomeFile some;  // which has the error handler of MPI_FILE_NULL from now on
    MPI_File_set_errhandler(MPI_FILE_NULL, before);
    calls = 0;
    MPI_File_read_at(some.file, -1, nullptr, 0, MPI_BYTE, MPI_STATUS_IGNORE);
    expect_equal(calls, 1, "calls of the file's error handler");
    expect(called_for == some.file, "the file that the error handler is called for");
    MPI_Request request;
    char byte = 0;
    MPI_File_iread_at(some.file, -1, &byte, 1, MPI_BYTE, &request);
    expect_equal(calls, 2, "calls after a nonblocking one");
    expect(request == MPI_REQUEST_NULL, "a request of an operation that has not begun");
  }
  MPI_Errhandler_free(&counting);
  MPI_Errhandler_free(&before);
}

void sequential() {
  SomeFile some(MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
  const int number = 1;
  MPI_Offset offset = 0;
  expect_error(MPI_File_write(some.file, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION,
               "writing at an own pointer of a sequential file");
  expect_error(MPI_File_write_at(some.file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION,
               "writing at an offset of a sequential file");
  expect_error(MPI_File_get_position(some.file, &offset), MPI_ERR_UNSUPPORTED_OPERATION, "its position");
  expect_error(MPI_File_write_shared(some.file, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS,
               "writing at the shared pointer of a sequential file");
  expect_error(MPI_File_set_view(some.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL),
               MPI_ERR_UNSUPPORTED_OPERATION, "a displacement in a sequential file");
  MPI_Barrier(MPI_COMM_WORLD);
  expect_error(MPI_File_set_view(some.file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
               MPI_SUCCESS, "the current displacement of a sequential file");
  MPI_Datatype etype, filetype;
  char datarep[MPI_MAX_DATAREP_STRING];
  MPI_File_get_view(some.file, &offset, &etype, &filetype, datarep);
  expect_equal(offset, MPI_Offset{4} * size(), "the displacement of the view");
}

void number_for_other_languages() {
  const SomeFile some;
  expect(MPI_File_fromint(MPI_File_toint(some.file)) == some.file, "the file of its number");
  expect(MPI_File_fromint(MPI_File_toint(MPI_FILE_NULL)) == MPI_FILE_NULL, "the null handle of its number");
}

void several_at_once() {
  SomeFile first, second;
  MPI_File own;
  const std::string path = first.path + "." + std::to_string(rank());
  expect_error(MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                             MPI_INFO_NULL, &own),
               MPI_SUCCESS, "opening a file of one rank");
  const int number = rank();
  for (const MPI_File file : {first.file, second.file, own})
    expect_error(MPI_File_write_shared(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS, "writing");
  expect_equal(size_of(own), MPI_Offset{4}, "the size of the own file");
  MPI_File_close(&own);
  MPI_Barrier(MPI_COMM_WORLD);
  expect_equal(size_of(first.file), MPI_Offset{4} * size(), "the size of the first file");
  expect_equal(size_of(second.file), MPI_Offset{4} * size(), "the size of the second file");
}

}  // namespace

int main() {
  return run({
      {"A file opens with a mode, which says what is allowed", modes},
      {"Modes that contradict each other are refused", wrong_modes},
      {"All ranks fail when one opens with wrong arguments", one_rank_is_wrong},
      {"Missing files are not opened and existing ones not created", missing_and_existing},
      {"All ranks may delete a file", all_may_delete},
      {"A file can be deleted when it is closed", deleted_on_close},
      {"A file has the size that was set", sizes},
      {"A file has the group that opened it", groups},
      {"Hints are in force as far as they mean something", hints},
      {"A file that is opened to append has its pointers at the end", appended},
      {"Errors go to the error handler of the file", error_handlers},
      {"A sequential file has the shared pointer alone", sequential},
      {"Several files are open at once", several_at_once},
      {"A file has a number for other languages", number_for_other_languages},
      {"Names that cannot be files have an error that says why", is_simulated() ? sizes : names_that_are_no_files},
  });
}
