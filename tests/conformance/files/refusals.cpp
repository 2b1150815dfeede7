// What the system refuses is an error of the standard's class, on all processes of a collective call, and none of
// them waits. /dev/full is a disk without space.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "some_file.hpp"

using namespace conformance;

namespace {

// Two pieces for each rank, between those of the others, through aggregators if `phases` says so.
class Full {
 public:
  explicit Full(const char* phases) {
    const Hints hints{{"romio_cb_write", phases}};
    expect_error(MPI_File_open(MPI_COMM_WORLD, "/dev/full", MPI_MODE_WRONLY, hints.info, &file), MPI_SUCCESS,
                 "opening /dev/full");
    MPI_Datatype filetype;
    MPI_Type_create_resized(MPI_INT, 0, MPI_Aint{4} * size(), &filetype);
    MPI_Type_commit(&filetype);
    MPI_File_set_view(file, rank() * 4, MPI_INT, filetype, "native", MPI_INFO_NULL);
    MPI_Type_free(&filetype);
  }
  ~Full() { expect_error(MPI_File_close(&file), MPI_SUCCESS, "closing"); }
  Full(const Full&) = delete;
  Full& operator=(const Full&) = delete;

  MPI_File file = MPI_FILE_NULL;
};

void expect_full(int returned, const char* what) {
  expect_error(returned, MPI_ERR_NO_SPACE, what);
  const std::string text = text_of(returned);
  for (const char* part : {"/dev/full", "ENOSPC", "offset"})
    expect(text.find(part) != std::string::npos, std::string("the message does not have ") + part + ": " + text);
}

void alone() {
  const Full full("automatic");
  const int numbers[2] = {1, 2};
  expect_full(MPI_File_write_at(full.file, 0, numbers, 2, MPI_INT, MPI_STATUS_IGNORE), "writing");
  MPI_Request request;
  expect_error(MPI_File_iwrite_at(full.file, 0, numbers, 2, MPI_INT, &request), MPI_SUCCESS, "beginning to write");
  expect_full(MPI_Wait(&request, MPI_STATUS_IGNORE), "waiting");
  expect_full(MPI_File_write_shared(full.file, numbers, 2, MPI_INT, MPI_STATUS_IGNORE), "writing, shared");
}

void together() {
  for (const char* phases : {"automatic", "enable", "disable"}) {
    const Full full(phases);
    const int numbers[2] = {1, 2};
    expect_full(MPI_File_write_all(full.file, numbers, 2, MPI_INT, MPI_STATUS_IGNORE), "writing together");
    MPI_Request request;
    MPI_File_iwrite_all(full.file, numbers, 2, MPI_INT, &request);
    expect_full(MPI_Wait(&request, MPI_STATUS_IGNORE), "waiting together");
    MPI_File_write_all_begin(full.file, numbers, 2, MPI_INT);
    expect_full(MPI_File_write_all_end(full.file, numbers, MPI_STATUS_IGNORE), "ending");
    expect_full(MPI_File_write_ordered(full.file, numbers, 2, MPI_INT, MPI_STATUS_IGNORE), "writing in order");
  }
}

// One rank has something to write, and all hear that it failed.
void one_of_them() {
  const Full full("automatic");
  const int number = 1;
  expect_full(MPI_File_write_at_all(full.file, 0, &number, rank() == size() - 1 ? 1 : 0, MPI_INT, MPI_STATUS_IGNORE),
              "writing on one rank");
}

void limits() {
  SomeFile some;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::vector<char> bytes(2000, 'x');
  const int returned = MPI_File_write_at(some.file, 0, bytes.data(), 2000, MPI_BYTE, MPI_STATUS_IGNORE);
  expect_error(returned, MPI_ERR_IO, "writing more than a file may have");
  expect(text_of(returned).find("EFBIG") != std::string::npos, "the message is " + text_of(returned));
  setrlimit(RLIMIT_FSIZE, &before);
  MPI_Barrier(MPI_COMM_WORLD);
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{0, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  MPI_File file;
  const int opened = MPI_File_open(MPI_COMM_WORLD, some.path.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  setrlimit(RLIMIT_NOFILE, &before);
  expect_error(opened, MPI_ERR_IO, "opening without a descriptor");
  expect(text_of(opened).find("EMFILE") != std::string::npos, "the message is " + text_of(opened));
}

void cut_and_removed() {
  SomeFile some;
  std::vector<int> numbers(100, rank());
  MPI_File_write_at_all(some.file, rank() * MPI_Offset{400}, numbers.data(), 100, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) expect(truncate(some.path.c_str(), 40) == 0, "cutting the file");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Status status;
  expect_error(MPI_File_read_at_all(some.file, 0, numbers.data(), 100, MPI_INT, &status), MPI_SUCCESS,
               "reading a file that was cut");
  expect_equal(count_in(status, MPI_INT), 10, "ints that are left");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) expect(unlink(some.path.c_str()) == 0, "removing the file");
  MPI_Barrier(MPI_COMM_WORLD);
  expect_error(MPI_File_write_at_all(some.file, 0, numbers.data(), 10, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS,
               "writing a file that was removed");
}

}  // namespace

int main() {
  return run({
      {"A full disk is an error of each way to write alone", alone},
      {"A full disk is an error of each way to write together, on all ranks", together},
      {"All ranks hear of the one that failed", one_of_them},
      {"Limits of the system are errors that say so", limits},
      {"A file that is cut or removed by others is as the system has it", cut_and_removed},
  });
}
