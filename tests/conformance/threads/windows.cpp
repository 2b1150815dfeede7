// Threads of a rank on windows at the same time: each on a window of its own, and all on one, beside messages.
// MPI 5.0, 11.6 and 12.5.
#include <algorithm>
#include <iterator>
#include <numeric>
#include <thread>
#include <vector>

#include "support/messages.hpp"
#include "windows/some_windows.hpp"

using namespace conformance;

namespace {

constexpr int kThreads = 4, kRounds = 10;
constexpr int kMany = 5000;  // ints that are more than one packet has

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

// body(thread), each in a thread of its own.
template <class Body>
void in_threads(int count, Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

class Groups {
 public:
  Groups() {
    MPI_Group all;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    const int target = next(), origin = previous();
    MPI_Group_incl(all, 1, &target, &targets);
    MPI_Group_incl(all, 1, &origin, &origins);
    MPI_Group_free(&all);
  }
  ~Groups() {
    MPI_Group_free(&targets);
    MPI_Group_free(&origins);
  }
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;

  MPI_Group targets, origins;
};

std::vector<int> numbers(int sender, int round) {
  std::vector<int> made(kMany);
  std::iota(made.begin(), made.end(), sender * 1'000'000 + round * 10'000);
  return made;
}
void put(const std::vector<int>& values, const SomeWindow& window) {
  const int count = static_cast<int>(values.size());
  MPI_Put(values.data(), count, MPI_INT, next(), window.at(next(), 0), count, MPI_INT, window.win);
}
void expect_numbers(const SomeWindow& window, int round) {
  expect(numbers(previous(), round) == std::vector<int>(window.data, window.data + kMany), "what was put");
}

// ---- each on a window of its own

void fences(const SomeWindow& window) {
  MPI_Win_fence(0, window.win);
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<int> mine = numbers(rank(), round);
    put(mine, window);
    MPI_Win_fence(0, window.win);
    expect_numbers(window, round);
    MPI_Win_fence(0, window.win);
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
}

void posts(const SomeWindow& window) {
  const Groups groups;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<int> mine = numbers(rank(), round);
    MPI_Win_post(groups.origins, 0, window.win);
    MPI_Win_start(groups.targets, 0, window.win);
    put(mine, window);
    MPI_Win_complete(window.win);
    MPI_Win_wait(window.win);
    expect_numbers(window, round);
  }
}

// All ranks count at the last one, where the counter is an int and where it is many.
void locks(const SomeWindow& window, MPI_Comm comm) {
  const int last = size() - 1;
  std::fill_n(window.data, kMany, 0);
  MPI_Barrier(comm);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<int> counted(round % 2 == 0 ? 1 : kMany);
    const int count = static_cast<int>(counted.size());
    const MPI_Aint there = window.at(last, 0);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, last, 0, window.win);
    MPI_Get(counted.data(), count, MPI_INT, last, there, count, MPI_INT, window.win);
    MPI_Win_flush(last, window.win);
    for (int& each : counted) ++each;
    MPI_Put(counted.data(), count, MPI_INT, last, there, count, MPI_INT, window.win);
    MPI_Win_unlock(last, window.win);
  }
  MPI_Barrier(comm);
  MPI_Win_lock(MPI_LOCK_SHARED, rank(), 0, window.win);
  expect_equal(window.data[0], rank() == last ? size() * kRounds : 0, "the first counter");
  expect_equal(window.data[kMany - 1], rank() == last ? size() * kRounds / 2 : 0, "the last counter");
  MPI_Win_unlock(rank(), window.win);
  MPI_Barrier(comm);
}

void on_windows_of_their_own() {
  std::vector<MPI_Comm> comms(kThreads);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int turn = 0; turn < static_cast<int>(every_kind().size()); ++turn)
    in_threads(kThreads, [&](int thread) {
      const MPI_Comm comm = comms[static_cast<std::size_t>(thread)];
      const SomeWindow window(every_kind()[static_cast<std::size_t>(turn + thread) % every_kind().size()], kMany,
                              comm);
      fences(window);
      posts(window);
      locks(window, comm);
    });
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

// ---- all on one window

// Of each rank's ints: a sum and a counter, for all threads, then an int for each thread and then many.
constexpr int kSum = 0, kCounter = 1, kSwapped = 2, kWords = 3;
int word_of(int origin, int thread) { return kWords + origin * kThreads + thread; }
int many_of(int origin, int thread) { return kWords + size() * kThreads + (origin * kThreads + thread) * kMany; }

// True if nobody else had changed it meanwhile.
bool swap_up(const SomeWindow& window, int target, int* expected) {
  const int wanted = *expected, more = wanted + 1;
  MPI_Compare_and_swap(&more, &wanted, expected, MPI_INT, target, window.at(target, kSwapped), window.win);
  MPI_Win_flush(target, window.win);
  return *expected == wanted;
}

void operate(const SomeWindow& window, int thread, int target, int round) {
  const int one = 1, mine = rank() * 1000 + thread * 100 + round;
  int before = -1, found = -1;
  MPI_Accumulate(&one, 1, MPI_INT, target, window.at(target, kSum), 1, MPI_INT, MPI_SUM, window.win);
  MPI_Fetch_and_op(&one, &before, MPI_INT, target, window.at(target, kCounter), MPI_SUM, window.win);
  MPI_Put(&mine, 1, MPI_INT, target, window.at(target, word_of(rank(), thread)), 1, MPI_INT, window.win);
  MPI_Win_flush(target, window.win);
  expect(before >= 0 && before < size() * kThreads * kRounds, "what was counted so far");
  MPI_Get(&found, 1, MPI_INT, target, window.at(target, word_of(rank(), thread)), 1, MPI_INT, window.win);
  MPI_Win_flush_all(window.win);
  expect_equal(found, mine, "what was put");
  int expected = 0;
  while (!swap_up(window, target, &expected)) {
  }
}

void request(const SomeWindow& window, int thread, int target, int round) {
  const std::vector<int> out = numbers(rank(), round);
  std::vector<int> in(out.size());
  const MPI_Aint there = window.at(target, many_of(rank(), thread));
  MPI_Request request;
  MPI_Rput(out.data(), kMany, MPI_INT, target, there, kMany, MPI_INT, window.win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_flush(target, window.win);
  MPI_Rget(in.data(), kMany, MPI_INT, target, there, kMany, MPI_INT, window.win, &request);
  for (int over = 0; over == 0;) MPI_Test(&request, &over, MPI_STATUS_IGNORE);
  expect(in == out, "many that were put");
}

void talk(int round) {
  for (const int bytes : {1, 1000, 50'000}) {
    const Message out = message(bytes, rank(), round);
    Message in(out.size());
    MPI_Sendrecv(out.data(), bytes, MPI_BYTE, next(), 0, in.data(), bytes, MPI_BYTE, previous(), 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect(in == message(bytes, previous(), round), "what was sent");
  }
}

void on_one_window() {
  on_every_kind(many_of(size(), 0), [](const SomeWindow& window) {
    MPI_Win_lock_all(0, window.win);
    in_threads(kThreads + 1, [&](int thread) {
      for (int round = 0; round < kRounds; ++round) {
        if (thread == kThreads) {
          talk(round);
          continue;
        }
        for (int target = 0; target < size(); ++target) operate(window, thread, target, round);
        request(window, thread, (rank() + round) % size(), round);
      }
    });
    MPI_Win_unlock_all(window.win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank(), 0, window.win);
    for (const int word : {kSum, kCounter, kSwapped})
      expect_equal(window.data[word], size() * kThreads * kRounds, "a number that all threads added to");
    MPI_Win_unlock(rank(), window.win);
  });
}

// Each of another target, at the same time.
void locks_of_one_window() {
  on_every_kind(1, [](const SomeWindow& window) {
    const int threads = std::min(kThreads, size());
    in_threads(threads, [&](int thread) {
      const int target = (rank() + thread) % size();
      for (int round = 0; round < kRounds; ++round) {
        int count = -1;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window.win);
        MPI_Get(&count, 1, MPI_INT, target, window.at(target, 0), 1, MPI_INT, window.win);
        MPI_Win_flush(target, window.win);
        ++count;
        MPI_Put(&count, 1, MPI_INT, target, window.at(target, 0), 1, MPI_INT, window.win);
        MPI_Win_unlock(target, window.win);
      }
    });
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank(), 0, window.win);
    expect_equal(window.data[0], threads * kRounds, "the counter");
    MPI_Win_unlock(rank(), window.win);
  });
}

// One thread posts and waits, another starts and completes. Complete carries the first put, if that is short.
void a_target_and_an_origin() {
  on_every_kind(kMany + 1, [](const SomeWindow& window) {
    const Groups groups;
    in_threads(2, [&](int thread) {
      for (int round = 0; round < kRounds; ++round) {
        if (thread == 0) {
          MPI_Win_post(groups.origins, 0, window.win);
          MPI_Win_wait(window.win);
          expect_numbers(window, round - round % 2);
          expect_equal(window.data[kMany], round, "what was put alone");
        } else {
          const std::vector<int> mine = numbers(rank(), round);
          MPI_Win_start(groups.targets, 0, window.win);
          MPI_Put(&round, 1, MPI_INT, next(), window.at(next(), kMany), 1, MPI_INT, window.win);
          if (round % 2 == 0) put(mine, window);
          MPI_Win_complete(window.win);
        }
      }
    });
  });
}

}  // namespace

int main() {
  return run({{"each thread on a window of its own", on_windows_of_their_own},
              {"all threads on one window", on_one_window},
              {"threads that lock a target each", locks_of_one_window},
              {"a thread is target while another is origin", a_target_and_an_origin}},
             MPI_THREAD_MULTIPLE);
}
