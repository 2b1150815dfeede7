// Operations under way: who has the buffer, when, and several of them at once.
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "neighbors.hpp"

namespace {

using antiphon::task;
using antiphon::world;
using conformance::rank;
using conformance::size;

void a_future_gives_its_buffer_back() {
  std::vector<int> values(100'000, rank());
  const int* const memory = values.data();
  auto sent = world().isend(std::move(values), {.to = right()});
  auto received = world().irecv(std::vector<int>(200'000), {.from = left()});
  values = sent.get();
  expect(values.data() == memory && values.size() == 100'000, "another vector came back");
  expect(received.get() == std::vector<int>(100'000, left()), "the message differs");
  expect_equal(received.status().source(), left(), "the source");
}

void views_are_lent() {
  std::array<double, 8> room{};
  const std::array<double, 3> mine{1, 2, static_cast<double>(rank())};
  auto received = world().irecv(std::span(room), {.from = left()});
  auto sent = world().isend(std::span(mine), {.to = right()});
  const auto got = received.get();
  expect(got.data() == room.data() && got.size() == 3 && got[2] == left(), "the span of what came differs");
  sent.get();
}

// Values live on the heap while MPI has them, so their future may move.
void futures_move_while_their_operation_runs() {
  std::vector<antiphon::future<std::array<int, 1000>>> futures;
  for (int i = 0; i < 20; ++i) futures.push_back(world().irecv<std::array<int, 1000>>({.from = left(), .tag = i}));
  std::vector<int> message(1000);
  for (int i = 0; i < 20; ++i) {
    message[999] = i;
    world().sendrecv(message, std::span<int>(), {.to = right(), .from = antiphon::null_process, .tag = i});
  }
  for (int i = 0; i < 20; ++i) expect_equal(futures[static_cast<std::size_t>(i)].get()[999], i, "a moved receive");
}

void a_future_that_ends_waits() {
  std::vector<int> room(50'000);
  {
    [[maybe_unused]] const auto received = world().irecv(std::span(room), {.from = left()});
    auto sent = world().isend(std::vector<int>(50'000, 7), {.to = right()});
    sent.get();
  }
  expect_equal(room.back(), 7, "the last element after the future's end");
}

void assigning_waits_for_the_old_operation() {
  int first = 0, second = 0;
  auto received = world().irecv(std::span(&first, 1), {.from = left(), .tag = 1});
  auto sent = world().isend(11, {.to = right(), .tag = 1});
  received = world().irecv(std::span(&second, 1), {.from = left(), .tag = 2});
  expect_equal(first, 11, "what the replaced future received");
  sent = world().isend(22, {.to = right(), .tag = 2});
  received.get();
  expect_equal(second, 22, "what the new one received");
}

void a_future_gives_only_once() {
  auto sent = world().isend(1, {.to = antiphon::null_process});
  sent.get();
  expect(is_refused([&] { sent.get(); }), "get() worked twice");
  auto one = world().isend(1, {.to = antiphon::null_process});
  auto other = std::move(one);
  expect(is_refused([&] { one.get(); }), "get() of a moved future worked");
  expect_equal(other.get(), 1, "what the other one had");
}

void ready_asks_without_waiting() {
  auto received = world().irecv<int>({.from = left(), .tag = 5});
  if (size() > 1) {
    world().barrier();
    expect(!received.ready(), "a message that nobody has sent is there");
    world().barrier();
  }
  world().isend(5, {.to = right(), .tag = 5}).get();
  while (!received.ready()) {
  }
  expect_equal(received.get(), 5, "the message");
}

void an_error_is_thrown_where_the_result_is_asked_for() {
  auto received = world().irecv(std::vector<int>(1), {.from = left()});
  world().isend(std::vector{1, 2}, {.to = right()}).get();
  expect_equal(error_class_of([&] { received.get(); }), MPI_ERR_TRUNCATE, "the error of too long a message");
  auto of_another_length = world().irecv<std::array<int, 3>>({.from = left()});
  world().isend(std::vector{1, 2}, {.to = right()}).get();
  expect_equal(error_class_of([&] { of_another_length.get(); }), MPI_ERR_COUNT, "the error of too short a message");
}

void when_all_has_all_results() {
  auto [number, text, nothing] =
      antiphon::when_all(world().irecv<int>({.from = left(), .tag = 1}),
                         world().irecv(std::string(20, ' '), {.from = left(), .tag = 2}),
                         [] {
                           world().isend(rank(), {.to = right(), .tag = 1}).get();
                           return world().isend(std::string("abc"), {.to = right(), .tag = 2});
                         }())
          .get();
  expect_equal(number, left(), "the number");
  expect_equal(text, "abc", "the text");
  expect_equal(nothing, "abc", "the text sent");

  std::vector<antiphon::future<int>> receives;
  for (int i = 0; i < 30; ++i) receives.push_back(world().irecv<int>({.from = left(), .tag = i}));
  for (int i = 30; i-- > 0;) world().isend(i * i, {.to = right(), .tag = i}).get();
  const auto squares = antiphon::when_all(std::move(receives)).get();
  for (int i = 0; i < 30; ++i) expect_equal(squares[static_cast<std::size_t>(i)], i * i, "a square");
}

void when_all_throws_what_one_of_them_met() {
  auto all = antiphon::when_all(world().irecv(std::vector<int>(5), {.from = left(), .tag = 1}),
                                world().irecv(std::vector<int>(1), {.from = left(), .tag = 2}));
  world().isend(std::vector{1, 2}, {.to = right(), .tag = 1}).get();
  world().isend(std::vector{1, 2}, {.to = right(), .tag = 2}).get();
  expect_equal(error_class_of([&] { all.get(); }), MPI_ERR_TRUNCATE, "the error of the second");
}

void wait_any_names_each_once() {
  std::vector<antiphon::future<int>> receives;
  for (int i = 0; i < 5; ++i) receives.push_back(world().irecv<int>({.from = left(), .tag = i}));
  for (int i = 5; i-- > 0;) world().isend(10 * i, {.to = right(), .tag = i}).get();
  int seen = 0;
  while (const auto index = antiphon::wait_any(receives)) {
    expect_equal(receives[*index].get(), 10 * static_cast<int>(*index), "a message");
    ++seen;
  }
  expect_equal(seen, 5, "the number of messages");
}

// Sends, receives and collectives that give the same share a type, whatever they keep until they are over.
void futures_are_named_by_what_they_give() {
  std::vector<antiphon::future<int>> all;
  all.push_back(world().irecv<int>({.from = left(), .tag = 1}));
  all.push_back(world().isend(rank(), {.to = right(), .tag = 1}));
  all.push_back(world().iallreduce(rank(), std::plus{}));
  all.push_back(world().ibcast(7));
  expect_equal(all[0].get(), left(), "the received value");
  expect_equal(all[0].status().tag(), 1, "its tag");
  expect_equal(all[1].get(), rank(), "the sent value");
  expect_equal(all[2].get(), size() * (size() - 1) / 2, "the sum");
  expect_equal(all[3].get(), 7, "the root's value");
  expect(is_refused([&] { (void)all[1].status(); }), "a send has a status");

  std::vector<antiphon::future<std::vector<int>>> vectors;
  vectors.push_back(world().iallgather(std::vector{rank()}));
  vectors.push_back(world().irecv(std::vector<int>(9), {.from = left()}));
  vectors.push_back(world().isend(std::vector{1, 2}, {.to = right()}));
  expect_equal(vectors[0].get().size(), static_cast<std::size_t>(size()), "the number of gathered elements");
  expect(vectors[1].get() == std::vector{1, 2}, "the received vector differs");
  expect(vectors[2].get() == std::vector{1, 2}, "the sent vector differs");
}

void an_empty_future_is_given_an_operation() {
  std::array<antiphon::future<int>, 3> receives;
  expect(!receives[0].valid() && receives[0].ready(), "a future without an operation has one");
  expect(is_refused([&] { receives[0].get(); }), "it gave something");
  for (int i = 0; i < 3; ++i) receives[static_cast<std::size_t>(i)] = world().irecv<int>({.from = left(), .tag = i});
  expect(receives[2].valid(), "an operation is not there");
  for (int i = 0; i < 3; ++i) world().isend(i, {.to = right(), .tag = i}).get();
  antiphon::wait_all(receives);
  expect(antiphon::test_all(receives), "what was waited for is not over");
  for (int i = 0; i < 3; ++i) expect_equal(receives[static_cast<std::size_t>(i)].get(), i, "a value");
  expect(!receives[2].valid(), "a future gives twice");
}

void ranges_of_futures_are_waited_for_where_they_are() {
  std::vector<antiphon::future<int>> receives;
  for (int i = 0; i < 4; ++i) receives.push_back(world().irecv<int>({.from = left(), .tag = i}));
  if (size() > 1) {
    world().barrier();
    expect(!antiphon::test_all(receives) && !antiphon::test_any(receives), "a message that nobody has sent is there");
    world().barrier();
  }
  world().isend(20, {.to = right(), .tag = 2}).get();
  std::optional<std::size_t> first;
  while (!first) first = antiphon::test_any(receives);
  expect_equal(*first, std::size_t{2}, "which one is over");
  world().barrier();  // everybody has seen that no other one is
  for (const int i : {3, 1, 0}) world().isend(10 * i, {.to = right(), .tag = i}).get();
  antiphon::wait_all(std::span(receives).first(2));
  expect(receives[0].ready() && receives[1].ready(), "what was waited for is not over");
  while (!antiphon::test_all(receives)) {
  }
  for (int i = 0; i < 4; ++i) expect_equal(receives[static_cast<std::size_t>(i)].get(), 10 * i, "a value");

  auto sent = world().isend(std::vector{1, 2}, {.to = right()});
  auto came = world().irecv(std::vector<int>(5), {.from = left()});
  auto barrier = world().ibarrier();
  antiphon::wait_all(sent, came, barrier);
  expect(antiphon::test_all(sent, came, barrier), "what was waited for is not over");
  expect(came.get() == std::vector{1, 2}, "the vector differs");
  std::vector<antiphon::future<void>> barriers;
  for (int i = 0; i < 3; ++i) barriers.push_back(world().ibarrier());
  antiphon::when_all(std::move(barriers)).get();
}

// ---- coroutines

task<int> ask(int tag) {
  auto sent = world().isend(10 * rank() + tag, {.to = right(), .tag = tag});
  const int got = co_await world().irecv<int>({.from = left(), .tag = tag});
  co_await std::move(sent);
  co_return got;
}

task<std::pair<int, int>> ask_twice() {
  const int first = co_await ask(1);
  const int second = co_await ask(2);
  co_return std::pair{first, second};
}

void a_task_waits_for_others() {
  expect(antiphon::run(ask_twice()) == std::pair{10 * left() + 1, 10 * left() + 2}, "the answers differ");
}

// In this order the second must go on before the first is over.
task<int> receive_first() { co_return co_await world().irecv<int>({.from = rank(), .tag = 8}); }
task<> send_later(bool& done) {
  co_await world().ibarrier();
  co_await world().isend(std::vector(1, 77), {.to = rank(), .tag = 8});
  done = true;
}

void tasks_take_turns() {
  bool done = false;
  auto [got, nothing] = antiphon::run(receive_first(), send_later(done));
  expect_equal(got, 77, "what one task sent the other");
  expect(done, "the second task did not end");

  std::vector<task<int>> many;
  for (int tag = 0; tag < 20; ++tag) many.push_back(ask(tag));
  const auto answers = antiphon::run(std::move(many));
  for (int tag = 0; tag < 20; ++tag)
    expect_equal(answers[static_cast<std::size_t>(tag)], 10 * left() + tag, "an answer");
}

task<int> sum_of_both() {
  auto receives = antiphon::when_all(world().irecv<int>({.from = left(), .tag = 1}),
                                     world().irecv<int>({.from = left(), .tag = 2}));
  co_await antiphon::when_all(world().isend(1, {.to = right(), .tag = 2}),
                              world().isend(2, {.to = right(), .tag = 1}));
  const auto [a, b] = co_await std::move(receives);
  std::vector<antiphon::future<int>> more;
  for (int tag = 3; tag < 6; ++tag) more.push_back(world().irecv<int>({.from = left(), .tag = tag}));
  for (int tag = 3; tag < 6; ++tag) co_await world().isend(tag, {.to = right(), .tag = tag});
  int sum = a + b;
  const auto rest = co_await antiphon::when_all(std::move(more));
  for (const int value : rest) sum += value;
  co_return sum;
}

void a_task_awaits_several_at_once() { expect_equal(antiphon::run(sum_of_both()), 15, "the sum"); }

task<> fails() {
  co_await world().ibarrier();
  co_await world().isend(1, {.to = 1000});
}
task<> hopes() {
  try {
    co_await fails();
  } catch (const antiphon::error&) {
    throw std::runtime_error("caught and thrown");
  }
}

void exceptions_reach_who_waits() {
  std::string what;
  try {
    antiphon::run(hopes());
  } catch (const std::runtime_error& problem) {
    what = problem.what();
  }
  expect_equal(what, "caught and thrown", "the exception");
}

struct never {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<>) {}
  void await_resume() {}
};
task<> waits_for_never() { co_await never{}; }

void waiting_for_nothing_is_an_error() {
  expect(is_refused([] { antiphon::run(waits_for_never()); }), "a task that nothing can wake ran");
}

}  // namespace

int main() {
  return conformance::run({
      {"a future gives its buffer back", a_future_gives_its_buffer_back},
      {"views are lent", views_are_lent},
      {"futures move while their operation runs", futures_move_while_their_operation_runs},
      {"a future that ends waits", a_future_that_ends_waits},
      {"assigning waits for the old operation", assigning_waits_for_the_old_operation},
      {"a future gives only once", a_future_gives_only_once},
      {"ready asks without waiting", ready_asks_without_waiting},
      {"an error is thrown where the result is asked for", an_error_is_thrown_where_the_result_is_asked_for},
      {"when_all has all results", when_all_has_all_results},
      {"when_all throws what one of them met", when_all_throws_what_one_of_them_met},
      {"wait_any names each once", wait_any_names_each_once},
      {"futures are named by what they give", futures_are_named_by_what_they_give},
      {"an empty future is given an operation", an_empty_future_is_given_an_operation},
      {"ranges of futures are waited for where they are", ranges_of_futures_are_waited_for_where_they_are},
      {"a task waits for others", a_task_waits_for_others},
      {"tasks take turns", tasks_take_turns},
      {"a task awaits several at once", a_task_awaits_several_at_once},
      {"exceptions reach who waits", exceptions_reach_who_waits},
      {"waiting for nothing is an error", waiting_for_nothing_is_an_error},
  });
}
