// The pointer that all processes share.
#include <algorithm>
#include <set>

#include "some_file.hpp"

using namespace conformance;

namespace {

MPI_Offset position(MPI_File file) {
  MPI_Offset at = -1;
  expect_error(MPI_File_get_position_shared(file, &at), MPI_SUCCESS, "MPI_File_get_position_shared");
  return at;
}

// Records of rank r are r + 1 ints long, so no two ranks move the pointer alike.
std::vector<int> record(int number) { return std::vector<int>(static_cast<std::size_t>(rank() + 1), number); }

void records_do_not_overlap() {
  SomeFile some;
  MPI_File_set_view(some.file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  constexpr int kRounds = 20;
  for (int round = 0; round < kRounds; ++round) {
    const auto mine = record(1000 * round + rank());
    MPI_Status status;
    MPI_Request request;
    if (round % 2 == 0) {
      expect_error(MPI_File_write_shared(some.file, mine.data(), rank() + 1, MPI_INT, &status), MPI_SUCCESS,
                   "MPI_File_write_shared");
    } else {
      MPI_File_iwrite_shared(some.file, mine.data(), rank() + 1, MPI_INT, &request);
      expect_error(MPI_Wait(&request, &status), MPI_SUCCESS, "MPI_File_iwrite_shared");
    }
    expect_equal(count_in(status, MPI_INT), rank() + 1, "the count");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const int all = kRounds * size() * (size() + 1) / 2;
  expect_equal(position(some.file), MPI_Offset{all}, "the pointer");
  const auto bytes = some.contents();
  expect_equal(bytes.size(), std::size_t{4} * static_cast<std::size_t>(all), "the size");
  const int* const numbers = reinterpret_cast<const int*>(bytes.data());
  std::set<int> seen;
  for (int i = 0; i < all;) {
    const int length = numbers[i] % 1000 + 1;
    for (int k = 0; k < length; ++k)
      if (numbers[i + k] != numbers[i]) return fail("a record is torn", Where::current());
    expect(seen.insert(numbers[i]).second, "a record was written twice");
    i += length;
  }
  expect_equal(seen.size(), static_cast<std::size_t>(kRounds * size()), "records");
  // Read back, each once.
  expect_error(MPI_File_seek_shared(some.file, 0, MPI_SEEK_SET), MPI_SUCCESS, "MPI_File_seek_shared");
  int sum = 0, own = 0, wanted = 0;
  for (int i = 0; i < all; ++i) wanted += numbers[i];
  for (int count = 1; count != 0;) {
    int number = 0;
    MPI_Status status;
    MPI_Request request;
    if (sum % 2 == 0) {
      MPI_File_read_shared(some.file, &number, 1, MPI_INT, &status);
    } else {
      MPI_File_iread_shared(some.file, &number, 1, MPI_INT, &request);
      MPI_Wait(&request, &status);
    }
    count = count_in(status, MPI_INT);
    own += number;
  }
  MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect_equal(sum, wanted, "the sum of what was read");
}

void ordered() {
  SomeFile some;
  MPI_File_set_view(some.file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  const int all = size() * (size() + 1) / 2, before = rank() * (rank() + 1) / 2;
  MPI_Status status;
  for (int round = 0; round < 4; ++round) {
    const auto mine = record(100 * round + rank());
    if (round % 2 == 0) {
      expect_error(MPI_File_write_ordered(some.file, mine.data(), rank() + 1, MPI_INT, &status), MPI_SUCCESS,
                   "MPI_File_write_ordered");
    } else {
      expect_error(MPI_File_write_ordered_begin(some.file, mine.data(), rank() + 1, MPI_INT), MPI_SUCCESS,
                   "MPI_File_write_ordered_begin");
      expect_error(MPI_File_write_ordered_end(some.file, mine.data(), &status), MPI_SUCCESS,
                   "MPI_File_write_ordered_end");
    }
    expect_equal(count_in(status, MPI_INT), rank() + 1, "the count");
    expect_equal(position(some.file), MPI_Offset{all} * (round + 1), "the pointer");
  }
  const auto bytes = some.contents();
  const int* const numbers = reinterpret_cast<const int*>(bytes.data());
  for (int round = 0; round < 4; ++round)
    for (int k = 0; k <= rank(); ++k)
      expect_equal(numbers[all * round + before + k], 100 * round + rank(), "a number in the order of ranks");
  MPI_File_seek_shared(some.file, 0, MPI_SEEK_SET);
  for (int round = 0; round < 2; ++round) {
    auto mine = record(-1);
    if (round == 0) {
      expect_error(MPI_File_read_ordered(some.file, mine.data(), rank() + 1, MPI_INT, &status), MPI_SUCCESS,
                   "MPI_File_read_ordered");
    } else {
      MPI_File_read_ordered_begin(some.file, mine.data(), rank() + 1, MPI_INT);
      expect_error(MPI_File_read_ordered_end(some.file, mine.data(), &status), MPI_SUCCESS,
                   "MPI_File_read_ordered_end");
    }
    expect(mine == record(100 * round + rank()), "a record in the order of ranks");
  }
}

void seeking() {
  SomeFile some;
  MPI_File_set_size(some.file, 80);
  MPI_File_set_view(some.file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_seek_shared(some.file, 5, MPI_SEEK_SET);
  expect_equal(position(some.file), MPI_Offset{5}, "the pointer");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(some.file, -2, MPI_SEEK_CUR);
  expect_equal(position(some.file), MPI_Offset{3}, "the pointer after seeking back");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(some.file, -1, MPI_SEEK_END);
  expect_equal(position(some.file), MPI_Offset{19}, "the pointer before the end");
  expect_error(MPI_File_seek_shared(some.file, -100, MPI_SEEK_CUR), MPI_ERR_ARG, "seeking to before the beginning");
  if (size() > 1)
    expect_error(MPI_File_seek_shared(some.file, rank(), MPI_SEEK_SET), MPI_ERR_NOT_SAME, "different places");
  expect_equal(position(some.file), MPI_Offset{19}, "the pointer after refusals");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_view(some.file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  expect_equal(position(some.file), MPI_Offset{0}, "the pointer of another view");
  MPI_Offset own = -1;
  MPI_File_get_position(some.file, &own);
  expect_equal(own, MPI_Offset{0}, "the own pointer, which the shared one does not move");
}

void one_is_wrong() {
  SomeFile some;
  const int number = rank();
  expect_error(MPI_File_write_ordered(some.file, &number, rank() == size() - 1 ? -1 : 4, MPI_BYTE, MPI_STATUS_IGNORE),
               MPI_ERR_COUNT, "a negative count on one rank");
  expect_equal(position(some.file), MPI_Offset{0}, "the pointer after that");
  MPI_Barrier(MPI_COMM_WORLD);
  expect_error(MPI_File_write_ordered(some.file, &number, 4, MPI_BYTE, MPI_STATUS_IGNORE), MPI_SUCCESS,
               "writing after that");
  expect_equal(size_of(some.file) >= MPI_Offset{4} * (rank() + 1), true, "whether the file has the record");
}

}  // namespace

int main() {
  return run({
      {"Records at the shared pointer do not overlap", records_do_not_overlap},
      {"Ordered access follows the ranks", ordered},
      {"All ranks seek together", seeking},
      {"All ranks fail when one calls ordered access with wrong arguments", one_is_wrong},
  });
}
