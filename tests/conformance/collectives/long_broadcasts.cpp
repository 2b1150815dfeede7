// Broadcasts of more than a page of a board, again and again: their root may have the others read them from its own
// memory. That must not be changed before all have read it, nor may it matter where it lies, how it is laid out at
// either end, or that some rank does not take its part.
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTimes = 12;  // more than it takes until there are pages

// Of ints: a page and a little of few ranks, and more; all that many ranks have room for.
std::vector<int> lengths() { return is_simulated() ? std::vector{9000} : std::vector{7000, 9000, 16'384, 300'000}; }

std::vector<int> numbers(int count, int first) {
  std::vector<int> made(static_cast<std::size_t>(count));
  std::iota(made.begin(), made.end(), first);
  return made;
}

std::string where(int count, int time) { return std::to_string(count) + " ints, time " + std::to_string(time); }

void roots_change_at_once_what_they_have_broadcast() {
  for (const int count : lengths())
    for (int time = 0; time < kTimes + size(); ++time) {
      const int root = time < kTimes ? 0 : time % size();
      std::vector<int> data = rank() == root ? numbers(count, time) : numbers(count, -1);
      MPI_Bcast(data.data(), count, MPI_INT, root, MPI_COMM_WORLD);
      expect(data == numbers(count, time), where(count, time));
      data.assign(data.size(), -2);
    }
}

void it_may_lie_in_memory_that_others_map() {
  for (const int count : lengths()) {
    int* data = nullptr;
    MPI_Alloc_mem(static_cast<MPI_Aint>(sizeof(int)) * count, MPI_INFO_NULL, &data);
    for (int time = 0; time < kTimes; ++time) {
      if (rank() == 0) std::iota(data, data + count, time);
      MPI_Bcast(data, count, MPI_INT, 0, MPI_COMM_WORLD);
      expect(std::vector<int>(data, data + count) == numbers(count, time), where(count, time));
    }
    MPI_Free_mem(data);
  }
}

// At the root, at the others, at every second one.
void it_may_be_scattered_at_either_end() {
  for (const int count : lengths())
    for (int time = 0; time < 2 * kTimes; ++time) {
      const bool has_gaps = time % 4 == 3 ? rank() % 2 == 0 : (rank() == 0) == (time % 4 == 1);
      const int gap = has_gaps ? 3 : 1;  // a block of 50 ints, and gaps of 100
      MPI_Datatype blocks;
      MPI_Type_vector(count / 50, 50, 50 * gap, MPI_INT, &blocks);
      MPI_Type_commit(&blocks);
      const int whole = count / 50 * 50;
      std::vector<int> data(static_cast<std::size_t>(whole * gap), -1);
      const auto at = [&](int i) -> int& { return data[static_cast<std::size_t>(i / 50 * 50 * gap + i % 50)]; };
      for (int i = 0; i < whole && rank() == 0; ++i) at(i) = time + i;
      MPI_Bcast(data.data(), 1, blocks, 0, MPI_COMM_WORLD);
      MPI_Type_free(&blocks);
      int wrong = 0;
      for (int i = 0; i < whole; ++i) wrong += at(i) != time + i;
      expect_equal(wrong, 0, "how many are wrong of " + where(whole, time));
      const auto touched =
          std::accumulate(data.begin(), data.end(), 0LL, [](long long n, int x) { return n + (x == -1); });
      expect_equal(touched, static_cast<long long>(whole) * (gap - 1),
                   "how many lie in gaps of " + where(whole, time));
    }
}

void others_may_be_under_way_on_communicators_that_overlap() {
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank(), &reversed);
  for (const int count : lengths())
    for (int time = 0; time < kTimes; ++time) {
      std::vector<int> one = numbers(count, rank() == 0 ? time : -1);
      std::vector<int> other = numbers(count, rank() == 0 ? 2 * time : -1);
      MPI_Bcast(one.data(), count, MPI_INT, 0, MPI_COMM_WORLD);
      MPI_Bcast(other.data(), count, MPI_INT, size() - 1, reversed);
      expect(one == numbers(count, time) && other == numbers(count, 2 * time), where(count, time));
    }
  MPI_Comm_free(&reversed);
}

// One that fails by itself, or that expects less. The root does not wait for it for ever, and all can go on.
template <class Call>
void expect_root_to_return(Call call_of_last) {
  for (const int count : lengths())
    for (int time = 0; time < kTimes; ++time) {
      MPI_Comm comm;
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      for (int before = 0; before < 4; ++before) {
        std::vector<int> data = numbers(count, rank() == 0 ? time : -1);
        MPI_Bcast(data.data(), count, MPI_INT, 0, comm);
        expect(data == numbers(count, time), where(count, time));
      }
      std::vector<int> data = numbers(count, time);
      if (rank() == size() - 1) {
        call_of_last(data, comm);
      } else {
        const int returned = MPI_Bcast(data.data(), count, MPI_INT, 0, comm);
        if (rank() == 0) expect_error(returned, MPI_SUCCESS, "MPI_Bcast at the root");
      }
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Comm_free(&comm);
    }
}

void one_that_reads_may_fail() {
  expect_root_to_return([](std::vector<int>& data, MPI_Comm comm) {
    expect_error(MPI_Bcast(nullptr, static_cast<int>(data.size()), MPI_INT, 0, comm), MPI_ERR_BUFFER, "no buffer");
  });
}

void one_that_reads_may_expect_less() {
  expect_root_to_return([](std::vector<int>& data, MPI_Comm comm) {
    const int returned = MPI_Bcast(data.data(), static_cast<int>(data.size()) - 1, MPI_INT, 0, comm);
    expect(returned != MPI_SUCCESS, "MPI_Bcast of less than the root has returned MPI_SUCCESS");
  });
}

}  // namespace

int main() {
  return run({{"roots change at once what they have broadcast", roots_change_at_once_what_they_have_broadcast},
              {"it may lie in memory that others map", it_may_lie_in_memory_that_others_map},
              {"it may be scattered at either end", it_may_be_scattered_at_either_end},
              {"others may be under way on communicators that overlap",
               others_may_be_under_way_on_communicators_that_overlap},
              {"one that reads may fail", one_that_reads_may_fail, {.least = 2}},
              {"one that reads may expect less", one_that_reads_may_expect_less, {.least = 2}}});
}
