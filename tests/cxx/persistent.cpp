// Operations that are started again and again, whole and in parts: who has the buffer, when.
#include <array>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "neighbors.hpp"

namespace {

using antiphon::world;
using conformance::rank;
using conformance::size;

void rounds_send_what_the_buffer_has_then() {
  std::vector<int> values(1000);
  const int* const memory = values.data();
  auto sending = world().send_init(std::move(values), {.to = right(), .tag = 4});
  auto receiving = world().recv_init(std::vector<int>(2000), {.from = left(), .tag = 4});
  static_assert(std::is_same_v<decltype(sending.buffer()), std::span<int>>, "nobody may reallocate it");
  for (int round = 0; round < 10; ++round) {
    receiving.start();
    sending.buffer()[999] = 100 * rank() + round;
    sending.start();
    sending.wait();
    while (!receiving.ready()) {
    }
    expect_equal(receiving.message().size(), std::size_t{1000}, "the length of the message");
    expect_equal(receiving.message()[999], 100 * left() + round, "what round " + std::to_string(round) + " brought");
    expect_equal(receiving.status().source(), left(), "the source");
  }
  expect(std::move(sending).release().data() == memory, "another vector came back");
}

void a_buffer_cannot_be_had_in_a_round() {
  std::array<double, 3> room{};
  auto receiving = world().recv_init(std::span(room), {.from = left()});
  receiving.start();
  expect(is_refused([&] { (void)receiving.buffer(); }), "a buffer that MPI has was given");
  expect(is_refused([&] { receiving.start(); }), "a second round was started");
  world().send(std::array{1.0, 2.0, 3.0}, {.to = right()});
  receiving.wait();
  receiving.wait();  // there is nothing to wait for
  expect(receiving.buffer()[2] == 3 && receiving.buffer().data() == room.data(), "the message differs");
  auto owner = std::move(receiving);
  expect(is_refused([&] { receiving.start(); }), "what was moved from was started");
  expect(owner.message().size() == 3, "the status was lost");
}

// Values and strings are on the heap, so that what has them may move in a round.
void operations_move_and_end_in_rounds() {
  std::vector<decltype(world().recv_init(int{}, {.from = 0}))> receiving;
  for (int i = 0; i < 20; ++i) {
    receiving.push_back(world().recv_init(int{}, {.from = left(), .tag = i}));
    receiving.back().start();
  }
  auto first = world().irecv(std::string(10, ' '), {.from = left(), .tag = 20});
  auto sending = world().send_init(std::string("short"), {.to = right(), .tag = 20});
  sending.start();
  sending = world().send_init(std::string("other"), {.to = right(), .tag = 21});  // waits for the first one
  sending.start();
  for (int i = 0; i < 20; ++i) world().send(i, {.to = right(), .tag = i});
  for (int i = 0; i < 20; ++i) {
    receiving[static_cast<std::size_t>(i)].wait();
    expect_equal(receiving[static_cast<std::size_t>(i)].buffer(), i, "a moved receive");
  }
  expect(first.get() == "short", "what a lost operation sent");
  expect(world().recv<std::string>({.from = left(), .tag = 21}) == "other", "what its follower sent");
}

void collectives_take_rounds_too() {
  auto sum = world().allreduce_init(std::vector<int>(3), std::plus{});
  auto news = world().bcast_init(std::vector<double>(5), {.root = size() - 1});
  auto barrier = world().barrier_init();
  for (int round = 0; round < 5; ++round) {
    for (int& value : sum.buffer()) value = round + rank();
    if (rank() == size() - 1) news.buffer()[4] = round;
    sum.start();
    news.start();
    expect(is_refused([&] { (void)sum.result(); }), "a result that is not there yet was given");
    news.wait();
    sum.wait();
    barrier.start();
    barrier.wait();
    expect_equal(sum.result()[2], round * size() + size() * (size() - 1) / 2, "the sum");
    expect(news.buffer()[4] == round, "the root's news");
  }
}

void partitions_go_and_come_one_by_one() {
  auto sending = world().psend_init(std::vector<int>(40), {.to = right(), .tag = 9, .partitions = 8});
  auto receiving = world().precv_init(std::vector<int>(40), {.from = left(), .tag = 9, .partitions = 4});
  for (int round = 0; round < 3; ++round) {
    receiving.start();
    sending.start();
    for (const int i : {3, 0, 7, 1, 2, 6, 5, 4}) {
      for (int& value : sending.partition(i)) value = 1000 * rank() + 10 * round + i;
      sending.ready(i);
      expect(is_refused([&] { (void)sending.partition(i); }), "a partition that MPI has was given");
    }
    expect(is_refused([&] { (void)sending.buffer(); }), "a buffer that MPI has was given");
    while (!receiving.arrived(2)) {
    }
    const std::span<int> third = receiving.partition(2);
    expect(third.size() == 10 && third[0] == 1000 * left() + 10 * round + 4 && third[9] == third[0] + 1,
           "partition 2 differs");
    receiving.wait();
    sending.wait();
    expect_equal(receiving.buffer()[39], 1000 * left() + 10 * round + 7, "the last element");
  }
  expect(is_refused([&] { sending.ready(0); }), "a partition was ready without a round");
  expect(is_refused([&] { (void)receiving.partition(4); }), "a partition that does not exist was given");
  expect_equal(error_class_of([&] { (void)world().psend_init(std::vector<int>(7), {.to = 0, .partitions = 2}); }),
               MPI_ERR_COUNT, "unequal partitions");
}

}  // namespace

int main() {
  return conformance::run({
      {"rounds send what the buffer has then", rounds_send_what_the_buffer_has_then},
      {"a buffer cannot be had in a round", a_buffer_cannot_be_had_in_a_round},
      {"operations move and end in rounds", operations_move_and_end_in_rounds},
      {"collectives take rounds, too", collectives_take_rounds_too},
      {"partitions go and come one by one", partitions_go_and_come_one_by_one},
  });
}
