// Messages between two ranks, through antiphon/mpi.hpp.
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "neighbors.hpp"

namespace {

using antiphon::world;

std::vector<int> numbers(int count, int first) {
  std::vector<int> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), first);
  return result;
}

// A message around the ring: each rank sends to the right, and takes from the left with `receive`.
template <class Out, class Receive>
auto pass_on(const Out& mine, Receive receive) {
  auto sent = world().isend(Out(mine), {.to = right(), .tag = 3});
  auto got = receive(antiphon::origin{.from = left(), .tag = 3});
  sent.get();
  return got;
}

void vectors_are_as_long_as_the_message() {
  for (const int extra : {0, 1, 1000}) {
    const auto got = pass_on(numbers(conformance::rank() + extra, 5),
                             [](auto from) { return world().recv<std::vector<int>>(from); });
    expect(got == numbers(left() + extra, 5), "a received vector differs from the sent one");
  }
}

void memory_is_used_again() {
  std::vector<int> buffer(5000);
  const int* const memory = buffer.data();
  buffer = pass_on(numbers(100, 1), [&](auto from) { return world().recv(std::move(buffer), from); });
  expect(buffer == numbers(100, 1), "a reused vector got something else");
  expect(buffer.data() == memory, "a vector that was long enough moved");
}

void values_arrive() {
  expect_equal(pass_on(2.5, [](auto from) { return world().recv<double>(from); }), 2.5, "a double");
  const auto array = pass_on(std::array{1, 2, 3}, [](auto from) { return world().recv<std::array<int, 3>>(from); });
  expect(array == std::array{1, 2, 3}, "an array differs");
  const auto text = pass_on(std::string("from " + std::to_string(conformance::rank())),
                            [](auto from) { return world().recv<std::string>(from); });
  expect_equal(text, "from " + std::to_string(left()), "a string");
}

void a_message_of_another_length_is_no_value() {
  const int error = error_class_of([] {
    pass_on(std::vector{1, 2}, [](auto from) { return world().recv<std::array<int, 3>>(from); });
  });
  expect_equal(error, MPI_ERR_COUNT, "the error of two elements for three");
}

void buffers_are_filled_and_a_status_tells_how_far() {
  std::vector<int> room(10, -1);
  const auto status = pass_on(std::vector{7, 8, 9}, [&](auto from) { return world().recv(room, from); });
  expect_equal(status.source(), left(), "the source");
  expect_equal(status.tag(), 3, "the tag");
  expect_equal(status.count<int>(), 3, "the count");
  expect(room[2] == 9 && room[3] == -1 && room.size() == 10, "the wrong elements were filled");

  int row[4] = {};
  pass_on(std::vector{5}, [&](auto from) { return world().recv(std::span(row).subspan(2), from); });
  expect(row[1] == 0 && row[2] == 5 && row[3] == 0, "a span was filled elsewhere");
}

void too_long_a_message_is_an_error() {
  int one = 0;
  const int error = error_class_of([&] {
    pass_on(std::vector{1, 2}, [&](auto from) { return world().recv(one, from); });
  });
  expect_equal(error, MPI_ERR_TRUNCATE, "the error of two elements in the room of one");
}

void wildcards_must_be_said_and_tell_who_it_was() {
  auto sent = world().isend(conformance::rank(), {.to = right(), .tag = 40 + conformance::rank()});
  auto message = world().probe({.from = antiphon::any_source, .tag = antiphon::any_tag});
  expect_equal(message.source(), left(), "the message's source");
  expect_equal(message.tag(), 40 + left(), "the message's tag");
  expect_equal(message.count<int>(), 1, "the message's count");
  expect_equal(message.recv<int>(), left(), "the message");
  sent.get();
}

void what_was_probed_for_and_not_received_is_dropped() {
  auto first = world().isend(std::vector{1, 2, 3}, {.to = right()});
  auto second = world().isend(std::vector{4}, {.to = right()});
  { [[maybe_unused]] const auto dropped = world().probe({.from = left()}); }
  expect_equal(world().recv<int>({.from = left()}), 4, "the message after the dropped one");
  first.get();
  second.get();
  expect(!world().try_probe({.from = left(), .tag = antiphon::any_tag}), "there is another message");
}

void every_mode_sends() {
  using enum antiphon::send_mode;
  std::vector<std::byte> room(1000);
  MPI_Comm_attach_buffer(MPI_COMM_WORLD, room.data(), 1000);
  for (const auto mode : {standard, synchronous, buffered, ready}) {
    int got = 0;
    auto receive = world().irecv(std::span(&got, 1), {.from = left(), .tag = 1});
    world().barrier();  // a ready send needs the receive
    auto sent = world().isend(conformance::rank() + 1, {.to = right(), .tag = 1, .mode = mode});
    receive.get();
    sent.get();
    expect_equal(got, left() + 1, "what isend brought");
    receive = world().irecv(std::span(&got, 1), {.from = left(), .tag = 2});
    world().barrier();
    world().send(conformance::rank() + 2, {.to = right(), .tag = 2, .mode = mode});
    receive.get();
    expect_equal(got, left() + 2, "what send brought");
  }
  void* address = nullptr;
  int size = 0;
  MPI_Comm_detach_buffer(MPI_COMM_WORLD, static_cast<void*>(&address), &size);
}

void sendrecv_does_both() {
  int got = -1;
  const auto status = world().sendrecv(conformance::rank(), got, {.to = right(), .from = left(), .tag = 9});
  expect_equal(got, left(), "what sendrecv brought");
  expect_equal(status.tag(), 9, "its tag");
  expect_equal(world().sendrecv<int>(conformance::rank(), {.to = left(), .from = right()}), right(), "to the left");
}

void nobody_sends_and_receives_nothing() {
  world().send(1, {.to = antiphon::null_process});
  int kept = 5;
  const auto status = world().recv(kept, {.from = antiphon::null_process});
  expect_equal(status.count<int>(), 0, "the count from nobody");
  expect_equal(kept, 5, "the buffer");
}

void a_region_says_what_cpp_cannot() {
  const int grid[6] = {0, 1, 2, 3, 4, 5};
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 3, MPI_INT, &column);
  MPI_Type_commit(&column);
  const auto got = pass_on(antiphon::const_region{grid + 1, 1, column},
                           [](auto from) { return world().recv<std::vector<int>>(from); });
  expect(got == std::vector{1, 4}, "the column differs");
  MPI_Type_free(&column);
}

}  // namespace

int main() {
  return conformance::run({
      {"vectors are as long as the message", vectors_are_as_long_as_the_message},
      {"memory is used again", memory_is_used_again},
      {"values arrive", values_arrive},
      {"a message of another length is no value", a_message_of_another_length_is_no_value},
      {"buffers are filled and a status tells how far", buffers_are_filled_and_a_status_tells_how_far},
      {"too long a message is an error", too_long_a_message_is_an_error},
      {"wildcards must be said and tell who it was", wildcards_must_be_said_and_tell_who_it_was},
      {"what was probed for and not received is dropped", what_was_probed_for_and_not_received_is_dropped},
      {"every mode sends", every_mode_sends},
      {"sendrecv does both", sendrecv_does_both},
      {"nobody sends and receives nothing", nobody_sends_and_receives_nothing},
      {"a region says what C++ cannot", a_region_says_what_cpp_cannot},
  });
}
