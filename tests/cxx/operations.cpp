// Reductions by functions of the program that have state: what they capture is theirs, in any call and in any thread.
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "neighbors.hpp"

namespace {

using antiphon::world;
using conformance::rank;
using conformance::size;

// x -> a x + b, one after the other, where the result is taken modulo m: the order matters.
struct affine {
  long a, b;
  friend bool operator==(const affine&, const affine&) = default;
};
auto then_modulo(long m) {
  return [m](affine f, affine g) { return affine{f.a * g.a % m, (f.b * g.a + g.b) % m}; };
}
affine expected_of_first(int ranks, long m, long salt = 0) {
  affine result{1, 0};
  for (int r = 0; r < ranks; ++r) result = then_modulo(m)(result, {2, r + salt});
  return result;
}

void functions_that_capture_reduce_in_rank_order() {
  for (const long m : {7, 97, 1009}) {
    const affine mine{2, rank()};
    expect(world().allreduce(mine, then_modulo(m)) == expected_of_first(size(), m), "allreduce differs");
    expect(world().scan(mine, then_modulo(m)) == expected_of_first(rank() + 1, m), "scan differs");
    const auto before = world().exscan(mine, then_modulo(m));
    expect(rank() == 0 ? !before : *before == expected_of_first(rank(), m), "exscan differs");
    for (int root = 0; root < size(); ++root) {
      const auto on_root = world().reduce(mine, then_modulo(m), {.root = root});
      expect(rank() == root ? *on_root == expected_of_first(size(), m) : !on_root, "reduce differs");
    }
  }
}

// Long enough for MPI to combine it in pieces, and of a type that has a predefined datatype.
void functions_that_capture_reduce_long_vectors() {
  const int limit = 2 * size() - 1;
  const auto bounded = antiphon::commutative([limit](int a, int b) { return a + b < limit ? a + b : limit; });
  for (const std::size_t count : {std::size_t{1}, std::size_t{1000}, std::size_t{300'000}}) {
    const std::vector<int> sums = world().allreduce(std::vector<int>(count, 2), bounded);
    expect(sums == std::vector<int>(count, size() == 1 ? 2 : limit), "the bounded sum differs");
    std::vector<int> in_place(count, 2);
    world().allreduce(antiphon::in_place, in_place, bounded);
    expect(in_place == sums, "the bounded sum in place differs");
  }
}

double larger(double a, double b) { return a < b ? b : a; }

void pointers_and_std_function_are_functions_too() {
  expect_equal(world().allreduce(1.0 + rank(), larger), static_cast<double>(size()), "by a pointer to a function");
  const std::function<double(double, double)> smaller = [](double a, double b) { return a < b ? a : b; };
  expect_equal(world().allreduce(1.0 + rank(), smaller), 1.0, "by a std::function");
  int calls = 0;
  world().allreduce(rank(), [&calls](int a, int b) { return ++calls, a + b; });
  const int everywhere = world().allreduce(calls, std::plus{});
  expect(size() == 1 || everywhere > 0, "nobody saw a call through a reference");
}

// Several of one type of function, so that only its state tells them apart, over before or after the others.
void nonblocking_reductions_keep_their_functions() {
  constexpr int kMany = 20;
  std::vector<antiphon::future<affine>> results;
  for (int i = 0; i < kMany; ++i) results.push_back(world().iallreduce(affine{2, rank() + i}, then_modulo(100 + i)));
  for (int i = kMany; i-- > 0;)
    expect(results[static_cast<std::size_t>(i)].get() == expected_of_first(size(), 100 + i, i),
           "the result of reduction " + std::to_string(i) + " differs");

  std::vector<long> mine(5, rank());
  auto lent = world().iallreduce(std::span(mine),
                                 [offset = std::vector<long>(1, 3)](long a, long b) { return a + b + offset[0]; });
  auto moved = std::move(lent);
  expect(moved.get() == std::vector<long>(5, size() * (size() - 1) / 2 + 3 * (size() - 1)), "of a view");
}

void rounds_keep_their_function() {
  auto rounds = world().allreduce_init(std::vector<affine>(3), then_modulo(211));
  auto moved = std::move(rounds);
  for (int round = 0; round < 3; ++round) {
    for (affine& value : moved.buffer()) value = {2, rank() + round};
    moved.start();
    moved.wait();
    expect(moved.result()[2] == expected_of_first(size(), 211, round), "a round's result differs");
  }
}

void threads_reduce_by_functions_of_their_own() {
  constexpr int kThreads = 4, kTimes = 50;
  std::vector<antiphon::owned<antiphon::communicator>> comms;
  for (int t = 0; t < kThreads; ++t) comms.push_back(world().dup());
  std::array<int, kThreads> wrong{};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([t, &wrong, comm = antiphon::communicator(comms[static_cast<std::size_t>(t)])] {
      for (int i = 0; i < kTimes; ++i) {
        const long m = 50 + 100 * t + i;
        auto later = comm.iallreduce(affine{2, rank()}, then_modulo(m + 1));
        wrong[static_cast<std::size_t>(t)] +=
            comm.allreduce(affine{2, rank()}, then_modulo(m)) != expected_of_first(size(), m);
        wrong[static_cast<std::size_t>(t)] += later.get() != expected_of_first(size(), m + 1);
      }
    });
  for (auto& thread : threads) thread.join();
  for (int t = 0; t < kThreads; ++t) expect_equal(wrong[static_cast<std::size_t>(t)], 0, "wrong results in a thread");
}

}  // namespace

int main() {
  return conformance::run(
      {
          {"functions that capture reduce in rank order", functions_that_capture_reduce_in_rank_order},
          {"functions that capture reduce long vectors", functions_that_capture_reduce_long_vectors},
          {"pointers and std::function are functions, too", pointers_and_std_function_are_functions_too},
          {"nonblocking reductions keep their functions", nonblocking_reductions_keep_their_functions},
          {"rounds keep their function", rounds_keep_their_function},
          {"threads reduce by functions of their own", threads_reduce_by_functions_of_their_own},
      },
      MPI_THREAD_MULTIPLE);
}
