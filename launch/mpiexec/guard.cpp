#include "mpiexec/guard.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/failure.hpp"
#include "node/processes.hpp"

namespace antiphon::launch {
namespace {

constexpr int kPassedOn[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : kPassedOn) sigaddset(&set, number);
  sigaddset(&set, SIGCHLD);
  return set;
}

// Blocks SIGPIPE and SIGXFSZ as well, so that in both processes a write that fails, because its reader has closed or
// because of ulimit -f, returns an error. The ranks get the original mask.
sigset_t block_signals() {
  sigset_t blocked = watched_signals();
  sigaddset(&blocked, SIGPIPE);
  sigaddset(&blocked, SIGXFSZ);
  sigset_t original;
  sigprocmask(SIG_BLOCK, &blocked, &original);
  // If the process that started mpiexec ignored SIGCHLD, mpiexec has inherited that, and could not wait for its
  // children.
  signal(SIGCHLD, SIG_DFL);
  return original;
}

// Gives the supervisor another name in ps, so that `killall -9 mpiexec` does not kill it.
void name_supervisor() { prctl(PR_SET_NAME, "antiphon-superv"); }

int status_of_dead_supervisor(int wait_status) {
  kill_all_descendants();
  tell("its supervisor was killed by signal {} ({}); the job is ended", WTERMSIG(wait_status),
       strsignal(WTERMSIG(wait_status)));
  return kExitSignal + WTERMSIG(wait_status);
}

// After Ctrl-C a shell stops its script only if the command died of SIGINT, so the front raises it.
void die_if_interrupted(int exit_status) {
  if (exit_status != kExitSignal + SIGINT) return;
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  signal(SIGINT, SIG_DFL);
  raise(SIGINT);
  sigprocmask(SIG_UNBLOCK, &interrupt, nullptr);
}

int wait_in_front(pid_t supervisor, int orders_fd) {
  const sigset_t watched = watched_signals();
  bool interrupted = false;
  while (true) {
    int wait_status = 0;
    if (waitpid(supervisor, &wait_status, WNOHANG) == supervisor) {
      if (!WIFEXITED(wait_status)) return status_of_dead_supervisor(wait_status);
      if (interrupted) die_if_interrupted(WEXITSTATUS(wait_status));
      return WEXITSTATUS(wait_status);
    }
    const int number = sigwaitinfo(&watched, nullptr);
    if (number <= 0 || number == SIGCHLD) continue;
    interrupted |= number == SIGINT;
    const auto order = static_cast<char>(number);
    [[maybe_unused]] const ssize_t ignored = write(orders_fd, &order, 1);  // the supervisor may have just ended
  }
}

}  // namespace

int Orders::next() const {
  char order = 0;
  const ssize_t length = read(fd_, &order, 1);
  if (length == 1) return order;
  return length == 0 ? kFrontIsGone : 0;
}

int run_guarded(const std::function<int(const SupervisorContext&)>& supervise) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    throw Failure{kExitFailure, fmt::format("cannot make a pipe: {}", std::strerror(errno))};
  }
  const sigset_t original_mask = block_signals();
  adopt_orphans();
  const pid_t supervisor = fork();
  if (supervisor < 0) throw Failure{kExitFailure, fmt::format("cannot fork: {}", std::strerror(errno))};
  if (supervisor == 0) {
    close(ends[1]);
    name_supervisor();
    adopt_orphans();  // a child does not inherit this
    _exit(supervise({.orders = Orders(ends[0]), .original_mask = original_mask}));
  }
  close(ends[0]);
  return wait_in_front(supervisor, ends[1]);
}

}  // namespace antiphon::launch
