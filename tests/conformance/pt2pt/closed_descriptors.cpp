// A program that closes every descriptor it does not know, and opens files of its own under the numbers.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kMostFiles = 200;
constexpr std::size_t kBytes = std::size_t{3} << 20;

std::vector<int> my_files;

void descriptors_change_hands() {
  for (int fd = STDERR_FILENO + 1; fd < kMostFiles; ++fd) close(fd);
  while (static_cast<int>(my_files.size()) < kMostFiles - STDERR_FILENO - 1)
    my_files.push_back(memfd_create("mine", MFD_CLOEXEC));
  expect(my_files.back() >= 0, "there are as many descriptors as are needed");
}

void messages_arrive() {
  unsigned char *out = nullptr, *in = nullptr;
  MPI_Alloc_mem(kBytes, MPI_INFO_NULL, &out);
  MPI_Alloc_mem(kBytes, MPI_INFO_NULL, &in);
  const int before = (rank() + size() - 1) % size(), after = (rank() + 1) % size();
  std::fill_n(out, kBytes, static_cast<unsigned char>(rank() + 1));
  MPI_Sendrecv(out, kBytes, MPI_BYTE, after, 0, in, kBytes, MPI_BYTE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect_equal(std::count(in, in + kBytes, static_cast<unsigned char>(before + 1)), static_cast<long>(kBytes),
               "the number of bytes that arrived");
  MPI_Free_mem(out);
  MPI_Free_mem(in);
}

void windows_are_shared() {
  unsigned char *mine = nullptr, *last = nullptr;
  MPI_Win win = MPI_WIN_NULL;
  MPI_Win_allocate_shared(kBytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
  MPI_Win_fence(0, win);
  std::fill_n(mine, kBytes, static_cast<unsigned char>(rank() + 1));
  MPI_Win_fence(0, win);
  MPI_Aint bytes = 0;
  int unit = 0;
  MPI_Win_shared_query(win, size() - 1, &bytes, &unit, &last);
  expect_equal(static_cast<int>(last[kBytes - 1]), size(), "the last byte of the last rank");
  MPI_Win_free(&win);
}

void files_are_as_they_were() {
  for (const int fd : my_files) {
    struct stat info {};
    expect_equal(fstat(fd, &info), 0, "what fstat says of descriptor " + std::to_string(fd));
    expect_equal(info.st_size, 0, "the size of file " + std::to_string(fd));
  }
}

}  // namespace

int main() {
  const int result = run({{"descriptors change hands", descriptors_change_hands},
                          {"messages from allocated memory arrive", messages_arrive},
                          {"windows are shared", windows_are_shared},
                          {"files of the program are as they were", files_are_as_they_were}});
  const bool kept = std::all_of(my_files.begin(), my_files.end(), [](int fd) { return fcntl(fd, F_GETFD) >= 0; });
  return kept ? result : 2;  // MPI_Finalize has closed one
}
