// Files of elements of one type.
#include <algorithm>
#include <antiphon/file.hpp>
#include <antiphon/mpi.hpp>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/ranks.hpp"

namespace {

using antiphon::file_mode;
using antiphon::open_file;
using antiphon::world;
using conformance::expect;
using conformance::expect_equal;
using conformance::rank;
using conformance::size;

template <class T>
antiphon::owned<antiphon::file<T>> some_file() {
  long id = static_cast<long>(MPI_Wtime() * 1e6);
  MPI_Bcast(&id, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  return open_file<T>(world(), "/tmp/antiphon-cxx-files." + std::to_string(id),
                      {.mode = file_mode::read_write, .create = true, .delete_on_close = true});
}

void each_rank_sees_its_own_elements() {
  const auto file = some_file<double>();
  file.see({.from = rank(), .block = 1, .every = size()});
  std::vector<double> mine(50), back(80, -1);
  std::iota(mine.begin(), mine.end(), 100.0 * rank());
  file.write_all(mine, {.at = 0});
  file.sync();
  expect_equal(file.size(), MPI_Offset{50} * size(), "the size");
  expect_equal(file.read_all(back, {.at = 0}), std::size_t{50}, "elements that were found");
  expect(std::equal(mine.begin(), mine.end(), back.begin()), "what was read is not what was written");
  expect_equal(file.read(std::span(back).first(10), {.at = 45}), std::size_t{5}, "elements before the end");
  expect_equal(back[4], mine[49], "the last element");
}

void futures_give_buffers_back() {
  const auto file = some_file<int>();
  std::vector<int> numbers(100, rank());
  auto writing = file.iwrite(std::move(numbers), {.at = MPI_Offset{100} * rank()});
  numbers = writing.get();
  expect_equal(numbers.size(), std::size_t{100}, "elements of the buffer");
  world().barrier();
  auto reading = file.iread(std::vector<int>(500), {.at = MPI_Offset{100} * (size() - 1) + 50});
  expect(reading.get() == std::vector<int>(50, size() - 1), "what was read");
  auto together = file.iwrite_all(std::span(numbers), {.at = MPI_Offset{100} * rank()});
  together.wait();
  expect(file.iread_all(std::vector<int>(100), {.at = MPI_Offset{100} * rank()}).get() == numbers,
         "what was read together");
}

void a_pointer_for_all() {
  const auto file = some_file<int>();
  file.write_ordered(std::vector(2, rank()));
  file.write_shared(rank());
  world().barrier();
  expect_equal(file.size(), MPI_Offset{3} * size(), "the size");
  std::vector<int> pair(2);
  file.read(pair, {.at = MPI_Offset{2} * rank()});
  expect(pair == std::vector(2, rank()), "a pair in the order of ranks");
}

void errors_are_exceptions() {
  const auto opened =
      antiphon::attempt([] { return open_file<int>(world(), "no/such/file", {.mode = file_mode::read}); });
  expect(!opened, "a file that is not there was opened");
  if (!opened) expect_equal(opened.error().error_class(), MPI_ERR_NO_SUCH_FILE, "the class of the error");
  const auto file = some_file<int>();
  const auto written = antiphon::attempt([&] { file.write(rank(), {.at = -1}); });
  expect(!written, "an element was written before the beginning");
}

static_assert(!std::is_copy_constructible_v<antiphon::owned<antiphon::file<int>>>);

}  // namespace

int main() {
  return conformance::run({
      {"Each rank sees its own elements", each_rank_sees_its_own_elements},
      {"Futures give buffers back, as long as what was found", futures_give_buffers_back},
      {"All ranks share a pointer", a_pointer_for_all},
      {"Errors are exceptions", errors_are_exceptions},
  });
}
