// Reads and writes of one process: at offsets and pointers, of any memory, to the end of the file and beyond,
// blocking and not.
#include <algorithm>
#include <numeric>

#include "some_file.hpp"

using namespace conformance;

namespace {

void pointers_follow_each_other() {
  SomeFile some;
  MPI_File_set_view(some.file, rank() * 40, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  int numbers[10];
  std::iota(numbers, numbers + 10, 10 * rank());
  MPI_Status status;
  MPI_Request requests[2];
  expect_error(MPI_File_write(some.file, numbers, 3, MPI_INT, &status), MPI_SUCCESS, "MPI_File_write");
  expect_equal(count_in(status, MPI_INT), 3, "the count of a write");
  expect_error(MPI_File_iwrite(some.file, numbers + 3, 3, MPI_INT, &requests[0]), MPI_SUCCESS, "MPI_File_iwrite");
  expect_error(MPI_File_iwrite(some.file, numbers + 6, 4, MPI_INT, &requests[1]), MPI_SUCCESS, "MPI_File_iwrite");
  MPI_Status statuses[2];
  expect_error(MPI_Waitall(2, requests, statuses), MPI_SUCCESS, "waiting");
  expect_equal(count_in(statuses[1], MPI_INT), 4, "the count of a nonblocking write");
  int back[10] = {};
  MPI_File_seek(some.file, 0, MPI_SEEK_SET);
  expect_error(MPI_File_iread(some.file, back, 4, MPI_INT, &requests[0]), MPI_SUCCESS, "MPI_File_iread");
  expect_error(MPI_File_read(some.file, back + 4, 6, MPI_INT, &status), MPI_SUCCESS, "MPI_File_read");
  MPI_Wait(&requests[0], &status);
  expect_equal(count_in(status, MPI_INT), 4, "the count of a nonblocking read");
  expect(std::equal(numbers, numbers + 10, back), "what was read is not what was written");
  MPI_Offset at = -1;
  MPI_File_get_position(some.file, &at);
  expect_equal(at, MPI_Offset{10}, "the position");
}

void scattered_memory() {
  SomeFile some;
  MPI_Datatype every_third;
  MPI_Type_vector(1000, 1, 3, MPI_INT, &every_third);
  MPI_Type_commit(&every_third);
  std::vector<int> from(3000), to(3000, -1);
  std::iota(from.begin(), from.end(), 1000 * rank());
  const MPI_Offset mine = rank() * MPI_Offset{4000};
  expect_error(MPI_File_write_at(some.file, mine, from.data(), 1, every_third, MPI_STATUS_IGNORE), MPI_SUCCESS,
               "writing every third int");
  MPI_Status status;
  expect_error(MPI_File_read_at(some.file, mine, to.data(), 1, every_third, &status), MPI_SUCCESS,
               "reading every third int");
  expect_equal(count_in(status, every_third), 1, "the count");
  for (std::size_t i = 0; i < 3000; ++i)
    if (to[i] != (i % 3 == 0 ? from[i] : -1)) return fail("int " + std::to_string(i) + " is wrong", Where::current());
  MPI_Type_free(&every_third);
}

void the_end_of_the_file() {
  SomeFile some;
  std::vector<int> numbers(100, 7);
  if (rank() == 0) MPI_File_write_at(some.file, 0, numbers.data(), 10, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Status status;
  std::fill(numbers.begin(), numbers.end(), -1);
  expect_error(MPI_File_read_at(some.file, 24, numbers.data(), 100, MPI_INT, &status), MPI_SUCCESS,
               "reading beyond the end");
  expect_equal(count_in(status, MPI_INT), 4, "ints before the end");
  expect(numbers[3] == 7 && numbers[4] == -1, "memory beyond what the file has");
  expect_error(MPI_File_read_at(some.file, 40, numbers.data(), 100, MPI_INT, &status), MPI_SUCCESS,
               "reading at the end");
  expect_equal(count_in(status, MPI_INT), 0, "ints at the end");
  // Of a view with gaps that are read, too.
  MPI_Datatype every_second;
  MPI_Type_create_resized(MPI_INT, 0, 8, &every_second);
  MPI_Type_commit(&every_second);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_view(some.file, 0, MPI_INT, every_second, "native", MPI_INFO_NULL);
  expect_error(MPI_File_read_at(some.file, 1, numbers.data(), 100, MPI_INT, &status), MPI_SUCCESS,
               "reading every second int beyond the end");
  expect_equal(count_in(status, MPI_INT), 4, "every second int before the end");
  MPI_Type_free(&every_second);
}

void nothing() {
  SomeFile some;
  MPI_Status status;
  expect_error(MPI_File_write(some.file, nullptr, 0, MPI_INT, &status), MPI_SUCCESS, "writing nothing");
  expect_equal(count_in(status, MPI_INT), 0, "the count of nothing");
  expect_error(MPI_File_read_all(some.file, nullptr, 0, MPI_INT, &status), MPI_SUCCESS, "reading nothing together");
  expect_equal(count_in(status, MPI_INT), 0, "the count of nothing together");
  expect_equal(size_of(some.file), MPI_Offset{0}, "the size");
}

void many_at_once() {
  SomeFile some;
  constexpr int kMany = 200;
  std::vector<int> numbers(kMany), back(kMany, -1);
  std::iota(numbers.begin(), numbers.end(), kMany * rank());
  std::vector<MPI_Request> requests(kMany);
  const auto offset = [](int i) { return (MPI_Offset{i} * size() + rank()) * 4; };
  for (int i = 0; i < kMany; ++i)
    expect_error(MPI_File_iwrite_at(some.file, offset(i), &numbers[static_cast<std::size_t>(i)], 1, MPI_INT,
                                    &requests[static_cast<std::size_t>(i)]),
                 MPI_SUCCESS, "MPI_File_iwrite_at");
  expect_error(MPI_Waitall(kMany, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS, "waiting for all");
  for (int i = 0; i < kMany; ++i)
    MPI_File_iread_at(some.file, offset(i), &back[static_cast<std::size_t>(i)], 1, MPI_INT,
                      &requests[static_cast<std::size_t>(i)]);
  for (int done = 0, flag = 0; done < kMany; done += flag) {
    int index = MPI_UNDEFINED;
    expect_error(MPI_Testany(kMany, requests.data(), &index, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS, "testing");
  }
  expect(back == numbers, "what was read is not what was written");
}

void freed_before_the_end() {
  SomeFile some;
  std::vector<int> numbers(1000, rank());
  MPI_Datatype type;
  MPI_Type_vector(500, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Request request;
  MPI_File_iwrite_at(some.file, rank() * MPI_Offset{2000}, numbers.data(), 1, type, &request);
  MPI_Type_free(&type);
  expect_error(MPI_Request_free(&request), MPI_SUCCESS, "freeing the request");
  some.close();  // waits for what is under way
  some.reopen(MPI_MODE_RDWR);
  expect_equal(size_of(some.file), MPI_Offset{2000} * size(), "the size");
}

void cannot_be_cancelled() {
  SomeFile some;
  const int number = 1;
  MPI_Request request;
  MPI_File_iwrite_at(some.file, 0, &number, 1, MPI_INT, &request);
  expect_error(MPI_Cancel(&request), MPI_ERR_REQUEST, "cancelling a write");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void atomic_mode() {
  SomeFile some;
  int flag = -1;
  MPI_File_get_atomicity(some.file, &flag);
  expect_equal(flag, 0, "whether a new file is atomic");
  expect_error(MPI_File_set_atomicity(some.file, 1), MPI_SUCCESS, "MPI_File_set_atomicity");
  MPI_File_get_atomicity(some.file, &flag);
  expect_equal(flag, 1, "whether the file is atomic");
  if (size() > 1)
    expect_error(MPI_File_set_atomicity(some.file, rank() == 0 ? 1 : 0), MPI_ERR_NOT_SAME, "different atomicities");
  // Short pieces of the same places: each reader finds those of one writer.
  MPI_Datatype pieces;
  MPI_Type_vector(64, 8, 16, MPI_INT, &pieces);
  MPI_Type_commit(&pieces);
  MPI_File_set_view(some.file, 0, MPI_INT, pieces, "native", MPI_INFO_NULL);
  std::vector<int> numbers(512), back(512);
  for (int round = 0; round < 20; ++round) {
    std::fill(numbers.begin(), numbers.end(), 100 * round + rank());
    MPI_File_write_at(some.file, 0, numbers.data(), 512, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(some.file, 0, back.data(), 512, MPI_INT, MPI_STATUS_IGNORE);
    if (std::ranges::find_if(back, [&](int number) { return number != back.front(); }) != back.end())
      return fail("a read found parts of two writes", Where::current());
  }
  MPI_Type_free(&pieces);
}

void beyond_four_gigabytes() {
  SomeFile some;
  const MPI_Offset far = (MPI_Offset{5} << 30) + rank() * MPI_Offset{8};
  const double number = 1.5 * rank();
  double back = -1;
  MPI_Status status;
  expect_error(MPI_File_write_at_c(some.file, far, &number, 1, MPI_DOUBLE, MPI_STATUS_IGNORE), MPI_SUCCESS,
               "writing far away");
  expect_error(MPI_File_read_at_c(some.file, far, &back, 1, MPI_DOUBLE, &status), MPI_SUCCESS, "reading far away");
  expect_equal(back, number, "the number far away");
  MPI_Barrier(MPI_COMM_WORLD);
  expect_equal(size_of(some.file), (MPI_Offset{5} << 30) + MPI_Offset{8} * size(), "the size");
  MPI_File_seek(some.file, -8, MPI_SEEK_END);
  MPI_Offset at = 0;
  MPI_File_get_position(some.file, &at);
  expect_equal(at, (MPI_Offset{5} << 30) + MPI_Offset{8} * (size() - 1), "a position far away");
}

}  // namespace

int main() {
  return run({
      {"Reads and writes at the own pointer follow each other", pointers_follow_each_other},
      {"Memory may be scattered", scattered_memory},
      {"A read ends where the file does", the_end_of_the_file},
      {"Nothing can be read and written", nothing},
      {"Many nonblocking operations are under way at once", many_at_once},
      {"Requests and types may be freed before the operation is over", freed_before_the_end},
      {"Operations on files cannot be cancelled", cannot_be_cancelled},
      {"In atomic mode a read finds all of a write or nothing", atomic_mode},
      {"Offsets may be beyond four gigabytes", is_simulated() ? nothing : beyond_four_gigabytes},
  });
}
