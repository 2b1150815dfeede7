// mpiexec consists of two processes. The user sees (and may kill) the front: it receives signals and returns the exit
// status. The supervisor, its child, is the parent of the ranks and does all the work. If the front is killed, even
// by SIGKILL, the supervisor notices at once and kills every process of the job. If the supervisor is killed, the
// kernel kills the ranks (PR_SET_PDEATHSIG), and the front, which becomes the parent of all orphans, kills what is
// left.
#pragma once

#include <signal.h>

#include <functional>

namespace antiphon::launch {

// The signals that the front passes on to the supervisor, by a pipe: one byte for each signal, end of file when the
// front has ended.
class Orders {
 public:
  explicit Orders(int fd) : fd_(fd) {}
  [[nodiscard]] int fd() const { return fd_; }

  // The next signal; 0 if there is none now; kFrontIsGone if the front has ended.
  static constexpr int kFrontIsGone = -1;
  [[nodiscard]] int next() const;

 private:
  int fd_;
};

struct SupervisorContext {
  Orders orders;
  sigset_t original_mask;  // the ranks get this mask
};

// Forks the supervisor, which runs `supervise`, and returns its exit status in the front. Does not return in the
// supervisor.
int run_guarded(const std::function<int(const SupervisorContext&)>& supervise);

}  // namespace antiphon::launch
