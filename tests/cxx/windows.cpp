// Windows: locks, atomic operations, futures, memory that a node shares, memory that is attached.
#include <algorithm>
#include <antiphon/dynamic_window.hpp>
#include <antiphon/shared_window.hpp>
#include <antiphon/topology.hpp>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "neighbors.hpp"

namespace {

using antiphon::lock_kind;
using antiphon::world;
using conformance::rank;
using conformance::size;

// A window of `count` elements on each rank, all of one value, which everybody sees.
template <class T>
antiphon::owned<antiphon::window<T>> filled(MPI_Count count, T value) {
  auto window = world().allocate_window<T>(count);
  {
    const auto epoch = window.fence();
    std::ranges::fill(window.local(), value);
  }
  world().barrier();
  return window;
}

// What this rank's part holds when all have ended their epochs.
template <class T>
std::vector<T> seen(const antiphon::window<T>& window) {
  world().barrier();
  const auto own = window.lock({.of = rank()});
  return {window.local().begin(), window.local().end()};
}

void everybody_counts_at_one_rank() {
  const auto window = filled<long>(2, 0);
  std::vector<long> tickets;
  {
    auto epoch = window.lock_all();
    for (int i = 0; i < 20; ++i) tickets.push_back(epoch.fetch_and_op(1, std::plus{}, {.to = 0, .at = 1}));
    expect(std::ranges::is_sorted(tickets), "a later ticket is smaller");
  }
  auto all = world().allgather(tickets);
  std::ranges::sort(all);
  std::vector<long> expected(all.size());
  std::iota(expected.begin(), expected.end(), 0);
  expect(all == expected, "a ticket was given twice, or never");
  if (rank() == 0) expect_equal(seen(window)[1], 20L * size(), "the counter");
  if (rank() != 0) world().barrier();
}

void one_rank_wins() {
  const auto window = filled<int>(1, -1);
  const int before = window.lock_all().compare_and_swap(-1, rank(), {.to = size() - 1});
  const int winners = world().allreduce(before == -1 ? 1 : 0, std::plus{});
  expect_equal(winners, 1, "the number of winners");
  const int winner = world().allreduce(before == -1 ? rank() : 0, std::plus{});
  if (before != -1) expect_equal(before, winner, "whom the others saw");
  const int last = window.lock_all().fetch_and_op(0, antiphon::no_op{}, {.to = size() - 1});
  expect_equal(last, winner, "who is in the window");
}

void exclusive_locks_keep_others_out() {
  const auto window = filled<int>(1, 0);
  for (int i = 0; i < 10; ++i) {
    auto lock = window.lock({.of = 0});
    int value = 0;
    lock.get(std::span(&value, 1), {.from = 0});
    lock.flush();
    ++value;
    lock.put(std::span(&value, 1), {.to = 0});
    lock.flush_local();
    lock.end();
  }
  const auto values = seen(window);
  if (rank() == 0) expect_equal(values[0], 10 * size(), "the counter without atomic operations");
}

void an_exception_leaves_no_lock_behind() {
  const auto window = filled<int>(1, 0);
  try {
    const auto lock = window.lock({.of = 0});
    throw std::runtime_error("in a lock");
  } catch (const std::runtime_error&) {
  }
  // Were the lock still held, nobody else could go on, and this rank could not lock again.
  window.lock({.of = 0}).fetch_and_op(1, std::plus{}, {.to = 0});
  const auto values = seen(window);
  if (rank() == 0) expect_equal(values[0], size(), "the counter");
}

void ranges_are_combined() {
  const auto window = filled<double>(3, 1);
  const std::array mine{1.0 * rank(), 2.0};
  std::array<double, 2> before{};
  {
    auto epoch = window.fence();
    epoch.accumulate(std::span(mine), std::plus{}, {.to = 0, .at = 1});
    epoch.accumulate(std::span<const double>(), std::plus{}, {.to = 0});
  }
  if (rank() == 0)
    expect(std::ranges::equal(window.local(), std::array{1.0, 1 + size() * (size() - 1) / 2.0, 1 + 2.0 * size()}),
           "the sums differ");
  {
    auto epoch = window.fence();
    epoch.get_accumulate(std::span(mine), std::span(before), antiphon::replace{}, {.to = right(), .at = 0});
  }
  expect(before == std::array{1.0, right() == 0 ? 1 + size() * (size() - 1) / 2.0 : 1.0}, "what was there differs");
  expect_equal(window.local()[0], 1.0 * left(), "what is there instead");
}

void futures_keep_what_is_put_and_got() {
  const auto window = filled<int>(4, 0);
  {
    auto lock = window.lock({.of = right(), .kind = lock_kind::shared});
    auto put = lock.rput(std::vector{rank(), 1, 2}, {.to = right()});
    auto added = lock.raccumulate(10, std::plus{}, {.to = right(), .at = 3});
    expect(put.get() == std::vector{rank(), 1, 2}, "another vector came back");
    expect_equal(added.get(), 10, "the value that came back");
    lock.flush();
    auto got = lock.rget(std::vector<int>(3), {.from = right()});
    std::array<int, 1> before{};
    auto swapped = lock.rget_accumulate(5, std::span(before), antiphon::maximum{}, {.to = right(), .at = 3});
    expect(got.get() == std::vector{rank(), 1, 2}, "what was got differs");
    swapped.wait();
    expect_equal(before[0], 10, "the element before");
    expect(lock.rget(std::vector<int>(), {.from = right()}).get().empty(), "nothing became something");
  }
  expect(seen(window) == std::vector{left(), 1, 2, 10}, "the window differs");
}

void exposure_ends_when_access_has() {
  const auto window = filled<int>(1, 0);
  const int mine = rank() + 5;
  auto exposed = window.post(world().group_of({left()}));
  {
    auto access = window.start(world().group_of({right()}));
    access.put(std::span(&mine, 1), {.to = right()});
  }
  while (!exposed.ready()) {
  }
  expect_equal(window.local()[0], left() + 5, "what was put");
  expect(exposed.ready(), "an epoch that is over is not");
  exposed.end();  // nothing is left to end
}

// What windows and topologies are made of may end before they do.
void windows_outlive_what_they_are_made_of() {
  const auto window = antiphon::create_dynamic_window(world().dup());
  window.lock_all().flush();
  const auto shared = antiphon::allocate_shared_window<int>(world().split_by_node(), 1);
  const auto grid = antiphon::cart_create<1>(world().dup());
  const auto of_grid = antiphon::allocate_shared_window<int>(grid.sub<0>(), 1);
  for (const auto* part : {&shared, &of_grid}) {
    auto epoch = part->lock_all();
    part->local()[0] = rank();
    epoch.sync();
    grid.barrier();
    epoch.sync();
    expect_equal(part->of(right())[0], right(), "what the next rank wrote");
  }
}

void a_node_shares_memory() {
  const auto node = world().split_by_node();
  // r + 1 elements of rank r, but none of the last
  const int last = node.size() - 1;
  const auto window = antiphon::allocate_shared_window<int>(node, node.rank() == last ? 0 : node.rank() + 1);
  {
    auto epoch = window.lock_all();
    std::ranges::fill(window.local(), 10 * node.rank());
    epoch.sync();
    node.barrier();
    epoch.sync();
    for (int r = 0; r < node.size(); ++r) {
      const std::span<int> theirs = window.of(r);
      expect_equal(theirs.size(), r == last ? 0U : static_cast<std::size_t>(r + 1), "the length of a part");
      expect(std::ranges::all_of(theirs, [&](int value) { return value == 10 * r; }), "another's part differs");
    }
    expect(window.of(node.rank()).data() == window.local().data() || node.rank() == last, "my part is elsewhere");
  }
  node.barrier();
  expect_equal(error_class_of([&] { (void)window.of(node.size()); }), MPI_ERR_RANK,
               "the error of a rank that is none");
}

void memory_is_attached_for_a_time() {
  const auto window = antiphon::create_dynamic_window(world());
  std::vector<double> values(5, 0.5);
  {
    const auto attached = window.attach(std::span(values));
    const auto addresses = world().allgather(attached.address());
    const std::array mine{1.0 * rank(), 7.0};
    const MPI_Aint second = MPI_Aint_add(addresses[static_cast<std::size_t>(right())], sizeof(double));
    window.lock({.of = right()}).put(std::span(mine), {.to = right(), .at = second});
    world().barrier();
    const auto own = window.lock({.of = rank()});
    expect(values == std::vector{0.5, 1.0 * left(), 7.0, 0.5, 0.5}, "what was put differs");
  }
  world().barrier();
  const auto again = window.attach(std::span(values));  // which was detached
}

void errors_of_windows_are_exceptions() {
  const auto window = filled<int>(1, 0);
  expect_equal(error_class_of([&] { (void)window.lock({.of = size()}); }), MPI_ERR_RANK, "lock's error");
  {
    auto lock = window.lock_all();
    expect_equal(error_class_of([&] { lock.fetch_and_op(1, std::plus{}, {.to = size()}); }), MPI_ERR_RANK,
                 "fetch_and_op's error");
    const std::array two{1, 2};
    int one = 0;
    expect_equal(
        error_class_of([&] { lock.get_accumulate(std::span(two), std::span(&one, 1), std::plus{}, {.to = 0}); }),
        MPI_ERR_COUNT, "the error of a result without room");
  }
  world().barrier();
}

}  // namespace

int main() {
  return conformance::run({
      {"everybody counts at one rank", everybody_counts_at_one_rank},
      {"one rank wins", one_rank_wins},
      {"exclusive locks keep others out", exclusive_locks_keep_others_out},
      {"an exception leaves no lock behind", an_exception_leaves_no_lock_behind},
      {"ranges are combined", ranges_are_combined},
      {"futures keep what is put and got", futures_keep_what_is_put_and_got},
      {"exposure ends when access has", exposure_ends_when_access_has},
      {"windows outlive what they are made of", windows_outlive_what_they_are_made_of},
      {"a node shares memory", a_node_shares_memory},
      {"memory is attached for a time", memory_is_attached_for_a_time},
      {"errors of windows are exceptions", errors_of_windows_are_exceptions},
  });
}
