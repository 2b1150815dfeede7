// Two processes make an mpiexec. The one the user sees (and may kill) stays in front: it takes the signals and gives
// the exit status. The supervisor behind it is the parent of the ranks and does all the work. If the front is
// killed, even by SIGKILL, the supervisor notices at once and kills every process of the job; if the
// supervisor is killed, the kernel kills the ranks (PR_SET_PDEATHSIG), and the front, to which all orphans fall then,
// does the rest.
#pragma once

#include <signal.h>

#include <functional>

namespace antiphon::launch {

// The supervisor's view of the front. One byte a signal; end of file when the front is gone.
class Orders {
 public:
  explicit Orders(int fd) : fd_(fd) {}
  [[nodiscard]] int fd() const { return fd_; }

  // The next signal the front passes on; 0 when there is none for now, kFrontIsGone when none will ever come.
  static constexpr int kFrontIsGone = -1;
  [[nodiscard]] int next() const;

 private:
  int fd_;
};

struct SupervisorContext {
  Orders orders;
  sigset_t original_mask;  // for the ranks
};

// Runs `supervise` in the process behind and returns its exit status in front. Does not return in the supervisor.
int run_guarded(const std::function<int(const SupervisorContext&)>& supervise);

}  // namespace antiphon::launch
