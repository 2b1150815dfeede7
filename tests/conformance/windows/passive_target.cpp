// Locks and what is done between them: who excludes whom, what is known to be done when, and what is out of order; on
// windows of every kind.
#include <sched.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "windows/some_windows.hpp"

using namespace conformance;

namespace {

int next() { return (rank() + 1) % size(); }

int get(const SomeWindow& window, int target, int index) {
  int found = -1;
  MPI_Get(&found, 1, MPI_INT, target, window.at(target, index), 1, MPI_INT, window.win);
  MPI_Win_flush(target, window.win);
  return found;
}
void put(const SomeWindow& window, int target, int index, const int& value) {
  MPI_Put(&value, 1, MPI_INT, target, window.at(target, index), 1, MPI_INT, window.win);
}

// Reading, adding one and writing is not disturbed by anybody, whichever of a few ranks it is done to.
void one_at_a_time() {
  const int rounds = is_simulated() ? 10 : 60;
  const int targets = std::min(size(), 3);
  on_every_kind(2, [&](const SomeWindow& window) {
    for (int round = 0; round < rounds; ++round) {
      const int target = (rank() + round) % targets;
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window.win);
      const int one = get(window, target, 0) + 1, other = get(window, target, 1) + 1;
      expect_equal(one, other, "the second counter");
      put(window, target, 0, one);
      put(window, target, 1, other);
      MPI_Win_unlock(target, window.win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window.win);
    int sum = 0;
    for (int target = 0; target < targets; ++target) sum += get(window, target, 0);
    MPI_Win_unlock_all(window.win);
    expect_equal(sum, rounds * size(), "how often counters were raised");
  });
}

// All share a lock at once; whoever wants it alone comes before or after, and finds both words alike.
void shared_and_alone() {
  on_every_kind(2, [&](const SomeWindow& window) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window.win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock(0, window.win);
    for (int round = 0; round < 20; ++round) {
      const bool alone = (round + rank()) % 3 == 0;
      MPI_Win_lock(alone ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, window.win);
      const int one = get(window, 0, 0), other = get(window, 0, 1);
      expect_equal(one, other, "the second word");
      const int more = one + 1;
      if (alone) {
        put(window, 0, 0, more);
        MPI_Win_flush(0, window.win);
        put(window, 0, 1, more);
      }
      MPI_Win_unlock(0, window.win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int expected = 0;
    for (int each = 0; each < size(); ++each)
      for (int round = 0; round < 20; ++round) expected += (round + each) % 3 == 0;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window.win);
    expect_equal(get(window, 0, 0), expected, "how many were alone");
    MPI_Win_unlock(0, window.win);
  });
}

// What was put before a flush is there when a message says so, without an unlock.
void flushed() {
  on_every_kind(2 * size(), [&](const SomeWindow& window) {
    MPI_Win_lock_all(0, window.win);
    for (int round = 1; round <= 10; ++round) {
      const int value = 100 * rank() + round;
      for (int target = 0; target < size(); ++target) put(window, target, rank(), value);
      if (round % 2 == 0)
        for (int target = 0; target < size(); ++target) MPI_Win_flush(target, window.win);
      else
        MPI_Win_flush_all(window.win);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Win_sync(window.win);
      for (int from = 0; from < size(); ++from)
        expect_equal(window.data[from], 100 * from + round, "the word put by rank " + std::to_string(from));
      MPI_Barrier(MPI_COMM_WORLD);
    }
    int mine = 5;
    put(window, next(), size() + rank(), mine);
    MPI_Win_flush_local(next(), window.win);
    mine = 6;  // is nobody's any more
    MPI_Win_flush_local_all(window.win);
    MPI_Win_unlock_all(window.win);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_equal(window.data[size() + (rank() + size() - 1) % size()], 5, "what was put before it changed");
  });
}

// Several at once; and without asking, where it is known that nobody else does.
void several_at_once() {
  on_every_kind(size() + 1, [&](const SomeWindow& window) {
    const int mine = rank() + 1;
    for (int target = 0; target < size(); ++target) MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window.win);
    for (int target = 0; target < size(); ++target) put(window, target, rank(), mine);
    for (int target = size(); target-- > 0;) MPI_Win_unlock(target, window.win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int from = 0; from < size(); ++from) expect_equal(window.data[from], from + 1, "a word");
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next(), MPI_MODE_NOCHECK, window.win);
    put(window, next(), size(), mine);
    MPI_Win_unlock(next(), window.win);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_equal(window.data[size()], (rank() + size() - 1) % size() + 1, "the word put without a check");
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window.win);
    expect_equal(get(window, next(), size()), mine, "the word got without a check");
    MPI_Win_unlock_all(window.win);
  });
}

// The target calls nothing meanwhile, as it need not where its memory is shared.
void while_the_target_computes() {
  if (is_simulated() || !on_one_node()) return;
  for (const Made made : {Made::allocated, Made::shared, Made::of_allocated_memory}) {
    const SomeWindow window(made, 2);
    window.data[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) {
      const volatile int* const counter = window.data;
      while (*counter != 100 * (size() - 1)) sched_yield();
    } else {
      for (int i = 0; i < 100; ++i) {
        const int one = 1;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window.win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window.win);
        MPI_Win_unlock(0, window.win);
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

// Valgrind sees nothing of what others write into a process's memory, so nobody does.
bool is_under_valgrind() {
  const char* const preloaded = std::getenv("LD_PRELOAD");
  return preloaded && std::string(preloaded).find("/vgpreload_") != std::string::npos;
}

// Whether the system lets all these processes copy from and to each other's memory.
bool system_copies() {
  struct Place {
    std::int64_t pid;
    std::uint64_t address;
  };
  char mine = 1, theirs = 0;
  Place place{getpid(), reinterpret_cast<std::uintptr_t>(&mine)}, there{};
  const int before = (rank() + size() - 1) % size();
  MPI_Sendrecv(&place, sizeof place, MPI_BYTE, before, 0, &there, sizeof there, MPI_BYTE, next(), 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  const iovec here{&theirs, 1}, remote{reinterpret_cast<void*>(there.address), 1};
  const auto pid = static_cast<pid_t>(there.pid);
  int works = !is_under_valgrind() && process_vm_readv(pid, &here, 1, &remote, 1, 0) == 1 && theirs == 1 &&
              process_vm_writev(pid, &here, 1, &remote, 1, 0) == 1;
  MPI_Allreduce(MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return works != 0;
}

// Nor here, where its memory is not in anybody else's, and what is put lies scattered.
void where_the_system_copies() {
  if (is_simulated() || !on_one_node() || !system_copies()) return;
  constexpr int kRun = 50, kRuns = 1000, kWords = kRun * kRuns, kEach = 2 * kWords + 1;
  MPI_Datatype runs;
  MPI_Type_vector(kRuns, kRun, 2 * kRun, MPI_INT, &runs);
  MPI_Type_commit(&runs);
  for (const Made made : {Made::of_the_users_memory, Made::dynamic}) {
    const SomeWindow window(made, size() * kEach);
    std::fill_n(window.data, size() * kEach, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) {
      for (int from = 1; from < size(); ++from) {
        const int* const put = window.data + from * kEach;
        const volatile int* const done = put + kEach - 1;
        while (*done != from) sched_yield();
        int wrong = 0;
        for (int i = 0; i < 2 * kWords; ++i) {
          const int run = i / (2 * kRun), word = i % (2 * kRun);
          wrong += put[i] != (word < kRun ? from + run * kRun + word : 0);
        }
        expect_equal(wrong, 0, "the number of wrong words from " + std::to_string(from));
      }
    } else {
      std::vector<int> mine(kWords), back(kWords);
      for (int i = 0; i < kWords; ++i) mine[static_cast<std::size_t>(i)] = rank() + i;
      const int me = rank(), first = me * kEach;
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window.win);
      MPI_Put(mine.data(), kWords, MPI_INT, 0, window.at(0, first), 1, runs, window.win);
      MPI_Win_flush(0, window.win);
      MPI_Get(back.data(), kWords, MPI_INT, 0, window.at(0, first), 1, runs, window.win);
      MPI_Win_flush(0, window.win);
      expect(back == mine, "what was put is what is got");
      put(window, 0, first + kEach - 1, me);
      MPI_Win_unlock(0, window.win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Type_free(&runs);
}

void out_of_order() {
  for (const Made made : every_kind()) {
    const SomeWindow window(made, 4);
    const MPI_Win win = window.win;
    MPI_Win same = win;
    const int me = rank(), one = 1;
    MPI_Group everybody;
    MPI_Win_get_group(win, &everybody);
    const auto put_to = [&](int target) {
      return MPI_Put(&one, 1, MPI_INT, target, window.at(target, 0), 1, MPI_INT, win);
    };
    expect_error(MPI_Win_unlock(me, win), MPI_ERR_RMA_SYNC, "unlock without lock");
    expect_error(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC, "unlock_all without lock_all");
    expect_error(MPI_Win_flush(me, win), MPI_ERR_RMA_SYNC, "flush without lock");
    expect_error(MPI_Win_flush_all(win), MPI_ERR_RMA_SYNC, "flush_all without lock");
    expect_error(MPI_Win_flush_local(me, win), MPI_ERR_RMA_SYNC, "flush_local without lock");
    expect_error(MPI_Win_flush_local_all(win), MPI_ERR_RMA_SYNC, "flush_local_all without lock");

    expect_error(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win), MPI_SUCCESS, "lock");
    expect_error(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win), MPI_ERR_RMA_SYNC, "a second lock");
    expect_error(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC, "lock_all after lock");
    expect_error(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC, "unlock_all after lock");
    expect_error(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC, "a fence after lock");
    expect_error(MPI_Win_start(everybody, 0, win), MPI_ERR_RMA_SYNC, "start after lock");
    expect_error(MPI_Win_complete(win), MPI_ERR_RMA_SYNC, "complete after lock");
    expect_error(MPI_Win_free(&same), MPI_ERR_RMA_SYNC, "freeing after lock");
    if (size() > 1) {
      expect_error(put_to(next()), MPI_ERR_RMA_SYNC, "a put to another rank");
      expect_error(MPI_Win_flush(next(), win), MPI_ERR_RMA_SYNC, "a flush of another rank");
      expect_error(MPI_Win_unlock(next(), win), MPI_ERR_RMA_SYNC, "an unlock of another rank");
    }
    expect_error(put_to(me), MPI_SUCCESS, "a put after lock");
    expect_error(MPI_Win_unlock(me, win), MPI_SUCCESS, "unlock");
    expect_error(put_to(me), MPI_ERR_RMA_SYNC, "a put after unlock");

    expect_error(MPI_Win_lock_all(0, win), MPI_SUCCESS, "lock_all");
    expect_error(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC, "a second lock_all");
    expect_error(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win), MPI_ERR_RMA_SYNC, "lock after lock_all");
    expect_error(MPI_Win_unlock(me, win), MPI_ERR_RMA_SYNC, "unlock after lock_all");
    expect_error(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC, "a fence after lock_all");
    expect_error(MPI_Win_free(&same), MPI_ERR_RMA_SYNC, "freeing after lock_all");
    expect_error(put_to(next()), MPI_SUCCESS, "a put after lock_all");
    expect_error(MPI_Win_unlock_all(win), MPI_SUCCESS, "unlock_all");

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    expect_error(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win), MPI_SUCCESS, "lock after a fence that began nothing");
    expect_error(MPI_Win_unlock(me, win), MPI_SUCCESS, "unlock");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    put_to(me);
    expect_error(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win), MPI_ERR_RMA_SYNC, "lock in the middle of fences");
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);

    expect_error(MPI_Win_lock(0, me, 0, win), MPI_ERR_LOCKTYPE, "no type of lock");
    expect_error(MPI_Win_lock(MPI_LOCK_SHARED, me, MPI_MODE_NOPUT, win), MPI_ERR_ASSERT, "MPI_MODE_NOPUT in lock");
    expect_error(MPI_Win_lock_all(MPI_MODE_NOPRECEDE, win), MPI_ERR_ASSERT, "MPI_MODE_NOPRECEDE in lock_all");
    expect_error(MPI_Win_lock(MPI_LOCK_SHARED, size(), 0, win), MPI_ERR_RANK, "lock of nobody that exists");
    expect_error(MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, win), MPI_SUCCESS, "lock of MPI_PROC_NULL");
    expect_error(MPI_Win_unlock(MPI_PROC_NULL, win), MPI_SUCCESS, "unlock of MPI_PROC_NULL");
    MPI_Group_free(&everybody);
  }
}

void without_locks() {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  int word = 0;
  MPI_Win win;
  MPI_Win_create(&word, sizeof word, 1, info, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  expect_error(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_RMA_SYNC, "lock with the hint no_locks");
  expect_error(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC, "lock_all with the hint no_locks");
  MPI_Win_free(&win);
  MPI_Info_free(&info);
}

}  // namespace

int main() {
  return run({{"those who exclude each other come one at a time", one_at_a_time},
              {"locks are shared, or not", shared_and_alone},
              {"what was flushed is done", flushed},
              {"several targets are locked at once", several_at_once},
              {"targets need not call MPI where their memory is shared", while_the_target_computes},
              {"nor where the system copies between processes", where_the_system_copies},
              {"calls out of order are errors", out_of_order},
              {"who says that there are no locks has none", without_locks}});
}
