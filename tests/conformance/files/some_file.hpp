// A file of all ranks for one test, with a name that no other job uses; gone at the end of the test.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "support/ranks.hpp"

namespace conformance {

// In the folder for temporary files, or in TEST_FOLDER; the same on all ranks.
inline std::string name_for_a_file() {
  static int number = 0;
  long id = static_cast<long>(getpid());
  MPI_Bcast(&id, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  const char* const folder = std::getenv("TEST_FOLDER");
  return std::string(folder ? folder : "/tmp") + "/antiphon-test." + std::to_string(id) + "." +
         std::to_string(++number);
}

class SomeFile {
 public:
  explicit SomeFile(int amode = MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_Info info = MPI_INFO_NULL)
      : path(name_for_a_file()) {
    expect_error(MPI_File_open(MPI_COMM_WORLD, path.c_str(), amode, info, &file), MPI_SUCCESS, "MPI_File_open");
  }
  ~SomeFile() {
    if (file != MPI_FILE_NULL) close();
    if (rank() == 0) MPI_File_delete(path.c_str(), MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  SomeFile(const SomeFile&) = delete;
  SomeFile& operator=(const SomeFile&) = delete;

  void close() { expect_error(MPI_File_close(&file), MPI_SUCCESS, "MPI_File_close"); }
  void reopen(int amode) {
    if (file != MPI_FILE_NULL) close();
    expect_error(MPI_File_open(MPI_COMM_WORLD, path.c_str(), amode, MPI_INFO_NULL, &file), MPI_SUCCESS,
                 "MPI_File_open again");
  }
  // What every process sees now. For all ranks.
  [[nodiscard]] std::vector<unsigned char> contents() {
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File whole;
    MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_RDONLY, MPI_INFO_NULL, &whole);
    MPI_Offset bytes = 0;
    MPI_File_get_size(whole, &bytes);
    std::vector<unsigned char> all(static_cast<std::size_t>(bytes));
    MPI_File_read_at(whole, 0, all.data(), static_cast<int>(bytes), MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&whole);
    MPI_Barrier(MPI_COMM_WORLD);
    return all;
  }

  std::string path;
  MPI_File file = MPI_FILE_NULL;
};

[[nodiscard]] inline int count_in(const MPI_Status& status, MPI_Datatype type) {
  int count = -1;
  MPI_Get_count(&status, type, &count);
  return count;
}

[[nodiscard]] inline MPI_Offset size_of(MPI_File file) {
  MPI_Offset bytes = -1;
  expect_error(MPI_File_get_size(file, &bytes), MPI_SUCCESS, "MPI_File_get_size");
  return bytes;
}

// An info object with these keys and values.
class Hints {
 public:
  Hints(std::initializer_list<std::pair<const char*, const char*>> values) {
    MPI_Info_create(&info);
    for (const auto& [key, value] : values) MPI_Info_set(info, key, value);
  }
  ~Hints() { MPI_Info_free(&info); }
  Hints(const Hints&) = delete;
  Hints& operator=(const Hints&) = delete;

  MPI_Info info = MPI_INFO_NULL;
};

[[nodiscard]] inline std::string hint_of(MPI_File file, const char* key) {
  MPI_Info info;
  MPI_File_get_info(file, &info);
  char value[MPI_MAX_INFO_VAL] = "(none)";
  int length = MPI_MAX_INFO_VAL, flag = 0;
  MPI_Info_get_string(info, key, &length, value, &flag);
  MPI_Info_free(&info);
  return flag != 0 ? value : "(none)";
}

}  // namespace conformance
