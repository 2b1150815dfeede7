// Communicators and windows that end themselves, sessions, errors as exceptions and as results.
#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "neighbors.hpp"

namespace {

using antiphon::communicator;
using antiphon::owned;
using antiphon::world;
using conformance::rank;
using conformance::size;

// Counts how many of a communicator's attributes were deleted, and so how many communicators were freed.
int freed = 0;
int count_end(MPI_Comm, int, void*, void*) { return ++freed, MPI_SUCCESS; }

void communicators_end_with_their_scope() {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_end, &key, nullptr);
  freed = 0;
  {
    auto first = world().dup();
    MPI_Comm_set_attr(first, key, nullptr);
    auto second = std::move(first);
    expect(!first, "a communicator that was moved from is still there");
    expect_equal(freed, 0, "how often it was freed when it moved");
    auto third = second.dup();
    MPI_Comm_set_attr(third, key, nullptr);
    const communicator view = third;
    expect_equal(view.size(), size(), "the size through a view");
  }
  expect_equal(freed, 2, "how many communicators were freed");
  MPI_Comm_free_keyval(&key);
}

void split_makes_communicators_of_some() {
  const auto half = world().split({.color = rank() % 2, .key = -rank()});
  expect_equal(half.size(), (size() + 1 - rank() % 2) / 2, "the size of a half");
  expect_equal(half.allreduce(rank() % 2, std::plus{}), half.size() * (rank() % 2), "who is in a half");
  expect_equal(half.rank(), half.size() - 1 - rank() / 2, "the rank by key");
  const auto first = rank() == 0 ? world().split({.color = 3}) : world().split({});
  expect_equal(static_cast<bool>(first), rank() == 0, "whether there is a communicator");
  expect_equal(world().split_by_node().size(), size(), "the ranks of one node");
}

void errors_are_exceptions_with_a_class_and_a_sentence() {
  bool thrown = false;
  try {
    world().send(1, {.to = size()});
  } catch (const antiphon::error& problem) {
    thrown = true;
    expect_equal(problem.error_class(), MPI_ERR_RANK, "the class");
    expect(std::string(problem.what()).find(std::to_string(size())) != std::string::npos, "the sentence has no rank");
  }
  expect(thrown, "nothing was thrown");
  const antiphon::communicator none(MPI_COMM_NULL);
  expect_equal(error_class_of([&] { (void)none.rank(); }), MPI_ERR_COMM, "the class of a null handle's error");
}

void errors_may_be_results() {
  auto bad = antiphon::attempt([] { return world().recv<int>({.from = size()}); });
  expect(!bad, "a rank that is none was received from");
  expect_equal(bad.error().error_class(), MPI_ERR_RANK, "the class");
  expect_equal(std::move(bad).value_or(-1), -1, "the value instead");
  auto good = antiphon::attempt([] { return world().sendrecv<int>(rank(), {.to = right(), .from = left()}); });
  expect(good.has_value() && *good == left(), "the value differs");
  expect(antiphon::attempt([] { world().barrier(); }).has_value(), "a barrier failed");
  auto future = antiphon::attempt(
      [] { return world().isend(std::make_unique<int>(5).get()[0], {.to = antiphon::null_process}); });
  expect_equal(future->get(), 5, "what only moves in a result");
}

void windows_are_put_to_and_got_from() {
  const auto window = world().allocate_window<int>(3);
  expect_equal(window.local().size(), 3U, "the window's own part");
  std::ranges::fill(window.local(), -1);
  const std::array<int, 2> mine{rank(), 100 + rank()};
  {
    auto epoch = window.fence();
    epoch.put(std::span(mine), {.to = right(), .at = 1});
  }
  expect(std::ranges::equal(window.local(), std::array{-1, left(), 100 + left()}), "what was put differs");
  int got = 0;
  auto epoch = window.fence();
  epoch.get(std::span(&got, 1), {.from = right(), .at = 2});
  epoch.end();
  expect_equal(got, 100 + rank(), "what was got");
}

void windows_lie_over_other_memory() {
  std::vector<std::pair<int, double>> memory(4, {0, 0.5});
  const auto window = world().expose(std::span(memory));
  const std::pair<int, double> mine{rank(), 2.5};
  const std::array sources{left()}, targets{right()};
  const auto from = world().group_of(sources), to = world().group_of(targets);
  {
    auto exposed = window.post(from);
    auto access = window.start(to);
    access.put(std::span(&mine, 1), {.to = right(), .at = 3});
    access.end();
  }
  expect(memory[3] == std::pair{left(), 2.5} && memory[2] == std::pair{0, 0.5}, "what was put differs");
}

void window_errors_are_exceptions() {
  const auto window = world().allocate_window<int>(1);
  auto epoch = window.fence();
  const int one = 1;
  expect_equal(error_class_of([&] { epoch.put(std::span(&one, 1), {.to = size()}); }), MPI_ERR_RANK, "put's error");
}

void sessions_have_communicators_of_their_own() {
  const auto session = antiphon::open_session();
  const auto everybody = session.communicator_of("mpi://WORLD", "test");
  expect_equal(everybody.size(), size(), "the session's size");
  expect_equal(everybody.allreduce(1, std::plus{}), size(), "the session's sum");
  expect_equal(error_class_of([&] { everybody.send(1, {.to = -7}); }), MPI_ERR_RANK, "an error in the session");
}

// A view costs what a handle costs, and whoever owns cannot be copied.
static_assert(sizeof(communicator) == sizeof(MPI_Comm) && std::is_trivially_copyable_v<communicator>);
static_assert(sizeof(owned<communicator>) == sizeof(MPI_Comm));
static_assert(!std::is_copy_constructible_v<owned<communicator>> &&
              std::is_nothrow_move_constructible_v<owned<communicator>>);

}  // namespace

int main() {
  return conformance::run({
      {"communicators end with their scope", communicators_end_with_their_scope},
      {"split makes communicators of some", split_makes_communicators_of_some},
      {"errors are exceptions with a class and a sentence", errors_are_exceptions_with_a_class_and_a_sentence},
      {"errors may be results", errors_may_be_results},
      {"windows are put to and got from", windows_are_put_to_and_got_from},
      {"windows lie over other memory", windows_lie_over_other_memory},
      {"window errors are exceptions", window_errors_are_exceptions},
      {"sessions have communicators of their own", sessions_have_communicators_of_their_own},
  });
}
