// Puts and gets between fences, and between start and complete, on windows of every kind.
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "windows/some_windows.hpp"

using namespace conformance;

namespace {

template <class Body>
void on_every_kind(int ints, Body&& body) {
  for (const Made made : every_kind()) {
    const SomeWindow window(made, ints);
    body(window);
  }
}

int word(int from, int to, int i) { return from * 1'000'000 + to * 10'000 + i % 10'000; }
int before() { return (rank() + size() - 1) % size(); }
int after() { return (rank() + 1) % size(); }

void expect_words(const int* data, int from, int to, int first, int count) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += data[i] != word(from, to, first + i);
  expect_equal(wrong, 0, "the number of wrong words from " + std::to_string(from));
}

std::vector<int> words(int from, int to, int count) {
  std::vector<int> made;
  for (int i = 0; i < count; ++i) made.push_back(word(from, to, i));
  return made;
}

// Everybody puts to everybody, and gets it back.
void from_all_to_all() {
  constexpr int kEach = 100;
  on_every_kind(kEach * size(), [](const SomeWindow& window) {
    for (int round = 0; round < 3; ++round) {
      std::vector<std::vector<int>> out;
      MPI_Win_fence(round == 0 ? MPI_MODE_NOPRECEDE : 0, window.win);
      for (int to = 0; to < size(); ++to) {
        const std::vector<int>& leaving = out.emplace_back(words(rank() + round, to, kEach));
        MPI_Put(leaving.data(), kEach, MPI_INT, to, window.at(to, kEach * rank()), kEach, MPI_INT, window.win);
      }
      MPI_Win_fence(0, window.win);
      for (int from = 0; from < size(); ++from)
        expect_words(window.data + kEach * from, from + round, rank(), 0, kEach);
      std::vector<int> back(static_cast<std::size_t>(kEach * size()), -5);
      for (int to = 0; to < size(); ++to)
        MPI_Get(back.data() + kEach * to, kEach, MPI_INT, to, window.at(to, kEach * rank()), kEach, MPI_INT,
                window.win);
      MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
      for (int to = 0; to < size(); ++to) expect_words(back.data() + kEach * to, rank() + round, to, 0, kEach);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  });
}

// Longer than any packet, ring or queue.
void much_at_a_time() {
  constexpr int kMany = 700'000;
  on_every_kind(kMany, [](const SomeWindow& window) {
    const std::vector<int> out = words(rank(), after(), kMany);
    std::vector<int> in(kMany);
    MPI_Win_fence(0, window.win);
    MPI_Put(out.data(), kMany, MPI_INT, after(), window.at(after(), 0), kMany, MPI_INT, window.win);
    MPI_Win_fence(0, window.win);
    expect_words(window.data, before(), rank(), 0, kMany);
    MPI_Get(in.data(), kMany, MPI_INT, after(), window.at(after(), 0), kMany, MPI_INT, window.win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
    expect_words(in.data(), rank(), after(), 0, kMany);
  });
}

// Every second int here, runs with two ints between them there; types may be freed as soon as the call is over.
void scattered_in(int blocks, int run) {
  const int ints = run * blocks, step = run + 2;
  on_every_kind(step * blocks, [&](const SomeWindow& window) {
    for (const bool is_put : {true, false}) {
      MPI_Datatype halves, runs;
      MPI_Type_vector(ints, 1, 2, MPI_INT, &halves);
      MPI_Type_vector(blocks, run, step, MPI_INT, &runs);
      MPI_Type_commit(&halves);
      MPI_Type_commit(&runs);
      std::vector<int> local(static_cast<std::size_t>(2 * ints), -7);
      for (int i = 0; is_put && i < ints; ++i) local[static_cast<std::size_t>(2 * i)] = word(rank(), after(), i);
      MPI_Win_fence(0, window.win);
      if (is_put)
        MPI_Put(local.data(), 1, halves, after(), window.at(after(), 0), 1, runs, window.win);
      else
        MPI_Get(local.data(), 1, halves, after(), window.at(after(), 0), 1, runs, window.win);
      MPI_Type_free(&halves);
      MPI_Type_free(&runs);
      MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
      int wrong = 0;
      for (int i = 0; is_put && i < ints; ++i)
        wrong += window.data[i / run * step + i % run] != word(before(), rank(), i);
      for (int i = 0; is_put && i < blocks; ++i)
        wrong += window.data[step * i + run] != -1 || window.data[step * i + run + 1] != -1;
      for (int i = 0; !is_put && i < ints; ++i)
        wrong += local[static_cast<std::size_t>(2 * i)] != word(rank(), after(), i) ||
                 local[static_cast<std::size_t>(2 * i + 1)] != -7;
      expect_equal(wrong, 0, is_put ? "the number of wrong words put" : "the number of wrong words got");
      MPI_Barrier(MPI_COMM_WORLD);
    }
  });
}

// Many runs in a packet, and runs that packets cut.
void scattered() {
  scattered_in(200, 3);
  scattered_in(10, 700);
}

MPI_Group group_of(const std::vector<int>& ranks) {
  MPI_Group everybody, made;
  MPI_Comm_group(MPI_COMM_WORLD, &everybody);
  MPI_Group_incl(everybody, static_cast<int>(ranks.size()), ranks.data(), &made);
  MPI_Group_free(&everybody);
  return made;
}

// Everybody is the target of the one before it, and the origin of the one behind it, many times over; groups may be
// freed at once.
void around_a_ring() {
  constexpr int kEach = 50;
  on_every_kind(kEach, [](const SomeWindow& window) {
    for (int round = 0; round < 50; ++round) {
      const std::vector<int> out = words(rank() + round, after(), kEach);
      MPI_Group origin = group_of({before()}), target = group_of({after()});
      MPI_Win_post(origin, 0, window.win);
      MPI_Win_start(target, 0, window.win);
      MPI_Group_free(&origin);
      MPI_Group_free(&target);
      MPI_Put(out.data(), kEach, MPI_INT, after(), window.at(after(), 0), kEach, MPI_INT, window.win);
      MPI_Win_complete(window.win);
      if (round % 2 == 0) {
        MPI_Win_wait(window.win);
      } else {
        for (int over = 0; over == 0;) MPI_Win_test(window.win, &over);
      }
      expect_words(window.data, before() + round, rank(), 0, kEach);
    }
  });
}

// Both neighbours expose and put at once, with the same groups again and again: no int, one, two at a time, or one
// after the other, and more than go with the word that the epoch is over.
void few_words_to_neighbours() {
  constexpr int kMost = 20, kCounts[] = {0, 1, 2, 10, kMost};
  std::vector<int> neighbours = {before(), after()};
  if (before() == after()) neighbours.pop_back();
  on_every_kind(kMost * size(), [&](const SomeWindow& window) {
    MPI_Group group = group_of(neighbours);
    for (int round = 0; round < 100; ++round) {
      const int count = kCounts[round % 5];
      const bool one_by_one = round % 2 == 0 && count <= 2;
      MPI_Win_post(group, 0, window.win);
      MPI_Win_start(group, 0, window.win);
      std::vector<std::vector<int>> out;
      for (const int to : neighbours) {
        const std::vector<int>& leaving = out.emplace_back(words(rank() + round, to, count));
        for (int at = 0; at < count; at += one_by_one ? 1 : count)
          MPI_Put(leaving.data() + at, one_by_one ? 1 : count, MPI_INT, to, window.at(to, kMost * rank() + at),
                  one_by_one ? 1 : count, MPI_INT, window.win);
      }
      MPI_Win_complete(window.win);
      MPI_Win_wait(window.win);
      for (const int from : neighbours) expect_words(window.data + kMost * from, from + round, rank(), 0, count);
    }
    MPI_Group_free(&group);
  });
}

// The figure of the standard for post and start (MPI 5.0, 12.5.2): rank 0 puts to 1 and 2, rank 3 to 2, and each
// names those only. In every round another rank comes late, so posts come before starts and after them. The group is
// the same again and again, as most programs have it, or made anew.
void figure_of_the_standard() {
  const std::vector<int> targets_of[] = {{1, 2}, {}, {}, {2}}, origins_of[] = {{}, {0}, {0, 3}, {}};
  on_every_kind(4, [&](const SomeWindow& window) {
    if (rank() >= 4) return;
    const auto me = static_cast<std::size_t>(rank());
    const std::vector<int>&targets = targets_of[me], &origins = origins_of[me];
    const MPI_Group kept = group_of(targets.empty() ? origins : targets);
    for (int round = 0; round < 40; ++round) {
      MPI_Group made = group_of(targets.empty() ? origins : targets);
      const MPI_Group group = round % 8 < 4 ? kept : made;
      if (round % 5 == rank()) std::this_thread::sleep_for(std::chrono::microseconds(200));
      if (!targets.empty()) {
        const int mine = round * 10 + rank();
        MPI_Win_start(group, 0, window.win);
        for (const int to : targets) MPI_Put(&mine, 1, MPI_INT, to, window.at(to, rank()), 1, MPI_INT, window.win);
        MPI_Win_complete(window.win);
      } else {
        MPI_Win_post(group, 0, window.win);
        MPI_Win_wait(window.win);
        for (const int from : origins) expect_equal(window.data[from], round * 10 + from, "what was put");
      }
      MPI_Group_free(&made);
    }
    MPI_Group done = kept;
    MPI_Group_free(&done);
  });
}

// Even ranks are reached by odd ones, all at once; a get sees what the target wrote before it posted.
void odd_to_even() {
  constexpr int kEach = 30;
  std::vector<int> even, odd;
  for (int each = 0; each < size(); ++each) (each % 2 == 0 ? even : odd).push_back(each);
  on_every_kind(kEach * (size() + 1), [&](const SomeWindow& window) {
    for (int round = 0; round < 10; ++round) {
      if (rank() % 2 == 0) {
        for (int i = 0; i < kEach; ++i) window.data[kEach * size() + i] = word(rank(), round, i);
        MPI_Group origins = group_of(odd);
        MPI_Win_post(origins, 0, window.win);
        MPI_Group_free(&origins);
        MPI_Win_wait(window.win);
        for (const int from : odd) expect_words(window.data + kEach * from, from + round, rank(), 0, kEach);
      } else {
        std::vector<std::vector<int>> out, in;
        MPI_Group targets = group_of(even);
        MPI_Win_start(targets, 0, window.win);
        MPI_Group_free(&targets);
        for (const int to : even) {
          const std::vector<int>& leaving = out.emplace_back(words(rank() + round, to, kEach));
          MPI_Put(leaving.data(), kEach, MPI_INT, to, window.at(to, kEach * rank()), kEach, MPI_INT, window.win);
          std::vector<int>& coming = in.emplace_back(kEach);
          MPI_Get(coming.data(), kEach, MPI_INT, to, window.at(to, kEach * size()), kEach, MPI_INT, window.win);
        }
        MPI_Win_complete(window.win);
        for (std::size_t i = 0; i < even.size(); ++i) expect_words(in[i].data(), even[i], round, 0, kEach);
      }
    }
  });
}

// MPI_MODE_NOCHECK: that others are ready is known from elsewhere.
void without_a_check() {
  on_every_kind(1, [](const SomeWindow& window) {
    MPI_Group origin = group_of({before()}), target = group_of({after()});
    MPI_Win_post(origin, MPI_MODE_NOCHECK, window.win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_start(target, MPI_MODE_NOCHECK, window.win);
    const int mine = rank();
    MPI_Put(&mine, 1, MPI_INT, after(), window.at(after(), 0), 1, MPI_INT, window.win);
    MPI_Win_complete(window.win);
    MPI_Win_wait(window.win);
    expect_equal(*window.data, before(), "the word that was put");
    MPI_Group_free(&origin);
    MPI_Group_free(&target);
  });
}

void with_nobody() {
  on_every_kind(1, [](const SomeWindow& window) {
    int one = 1;
    MPI_Win_fence(0, window.win);
    expect_error(MPI_Put(&one, 1, MPI_INT, MPI_PROC_NULL, 5, 1, MPI_INT, window.win), MPI_SUCCESS, "a put to nobody");
    expect_error(MPI_Get(&one, 1, MPI_INT, MPI_PROC_NULL, 5, 1, MPI_INT, window.win), MPI_SUCCESS,
                 "a get from nobody");
    expect_error(MPI_Put(nullptr, 0, MPI_INT, rank(), window.at(rank(), 0), 0, MPI_INT, window.win), MPI_SUCCESS,
                 "a put of nothing");
    MPI_Win_fence(0, window.win);
    expect_equal(one, 1, "the word");
    expect_equal(*window.data, -1, "the word in the window");
    MPI_Win_post(MPI_GROUP_EMPTY, 0, window.win);
    MPI_Win_start(MPI_GROUP_EMPTY, 0, window.win);
    MPI_Win_complete(window.win);
    int over = 0;
    MPI_Win_test(window.win, &over);
    expect_equal(over, 1, "whether an exposure to nobody is over");
  });
}

}  // namespace

int main() {
  return run({{"everybody puts to everybody and gets it back", from_all_to_all},
              {"much is put and got at a time", much_at_a_time},
              {"both sides may be scattered", scattered},
              {"ranks put around a ring", around_a_ring},
              {"neighbours put a few words to each other", few_words_to_neighbours},
              {"the figure of the standard", figure_of_the_standard, {.least = 4}},
              {"odd ranks reach even ones", odd_to_even},
              {"nobody checks where that is asserted", without_a_check},
              {"operations with nobody do nothing", with_nobody}});
}
