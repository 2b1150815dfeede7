#include "platform/linux/process_stat.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <thread>

namespace antiphon::platform {
namespace {

TEST(ProcessStat, IsReadWhateverTheProcessIsCalled) {
  char name[16];
  prctl(PR_GET_NAME, name);
  prctl(PR_SET_NAME, "it) S 1 (is");
  const auto stat = process_stat(getpid());
  prctl(PR_SET_NAME, name);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->parent, getppid());
}

TEST(ProcessStat, CountsTheTimeOnACore) {
  const std::uint64_t before = process_stat(getpid())->cpu_ms;
  const std::clock_t enough = std::clock() + CLOCKS_PER_SEC / 20;
  while (std::clock() < enough) continue;
  const std::uint64_t spent = process_stat(getpid())->cpu_ms - before;
  EXPECT_GE(spent, 20u);
  EXPECT_LE(spent, 1000u);
}

// A child that sleeps in two threads, of which `second` is not the first.
struct Sleepers {
  Sleepers() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    process = fork();
    if (process == 0) {
      std::thread([&] {
        const auto id = static_cast<pid_t>(syscall(SYS_gettid));
        if (write(ends[1], &id, sizeof id) == ssize_t{sizeof id})
          while (true) pause();
      }).join();
    }
    EXPECT_EQ(read(ends[0], &second, sizeof second), ssize_t{sizeof second});
    close(ends[0]);
    close(ends[1]);
  }
  ~Sleepers() {
    kill(process, SIGKILL);
    while (waitpid(second, nullptr, __WALL) == second) continue;  // whoever traces a thread is told of all it does
    waitpid(process, nullptr, 0);
  }
  // Until the process is, or a minute has passed.
  [[nodiscard]] bool becomes(Stopped wanted) const {
    for (int i = 0; i < 6000 && who_stopped(process) != wanted; ++i) usleep(10'000);
    return who_stopped(process) == wanted;
  }

  pid_t process = 0, second = 0;
};

TEST(WhoStopped, IsASignalUntilItIsContinued) {
  const Sleepers child;
  EXPECT_EQ(who_stopped(child.process), Stopped::by_nobody);
  kill(child.process, SIGSTOP);
  EXPECT_TRUE(child.becomes(Stopped::by_signal));
  kill(child.process, SIGCONT);
  EXPECT_TRUE(child.becomes(Stopped::by_nobody));
}

TEST(WhoStopped, IsADebuggerThatHoldsOneThread) {
  const Sleepers child;
  if (ptrace(PTRACE_SEIZE, child.second, 0, 0) != 0) GTEST_SKIP() << "this process may not trace its child";
  ptrace(PTRACE_INTERRUPT, child.second, 0, 0);
  EXPECT_TRUE(child.becomes(Stopped::by_tracer));
}

TEST(WhoStopped, IsNobodyWhereThereIsNoProcess) { EXPECT_EQ(who_stopped(0), Stopped::by_nobody); }

TEST(IsAncestor, HoldsForParentsAndTheirsAlone) {
  EXPECT_TRUE(is_ancestor(getppid()));
  if (const auto parent = process_stat(getppid()); parent && parent->parent > 0) {
    EXPECT_TRUE(is_ancestor(parent->parent));
  }
  EXPECT_FALSE(is_ancestor(getpid()));
  const Sleepers child;
  EXPECT_FALSE(is_ancestor(child.process));
  EXPECT_FALSE(is_ancestor(0));
}

TEST(ProcessStat, IsNothingWhereThereIsNoProcess) { EXPECT_FALSE(process_stat(0)); }

}  // namespace
}  // namespace antiphon::platform
