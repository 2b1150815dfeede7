// Starts one rank: forks, separates the child from mpiexec, and executes the program. The child reports errors
// after the fork through a pipe, which a successful exec closes.
#pragma once

#include <sched.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace antiphon::launch {

// Everything a child needs, put together before the fork: between fork and exec it allocates nothing.
struct RankStart {
  int rank;
  const char* path;
  char* const* arguments;
  char* const* environment;
  const char* working_directory;  // nullptr: stay
  int job_fd;                     // stays open across exec
  int input_fd;                   // become 0, 1 and 2; may already be
  int output_fd;
  int error_fd;
  const rlimit& descriptors;     // how many it may have
  const std::vector<int>& cpus;  // empty: not bound
  const sigset_t& signal_mask;   // as mpiexec found it
};

// A child that could not execute its program.
struct StartFailure {
  int rank;
  int error;      // errno
  char step[16];  // "exec", "chdir"
};

// The pipe of StartFailures: all children share the writing end.
class StartReports {
 public:
  StartReports();
  StartReports(const StartReports&) = delete;
  StartReports& operator=(const StartReports&) = delete;
  ~StartReports();

  [[nodiscard]] int reading_end() const { return ends_[0]; }
  [[nodiscard]] int writing_end() const { return ends_[1]; }
  // The parent's copy, once the last rank is started.
  void close_writing_end();
  // The next report; nothing when there is none for now, or ever.
  std::optional<StartFailure> next();
  // Every child has executed its program or ended.
  [[nodiscard]] bool finished() const { return finished_; }

 private:
  int ends_[2];
  bool finished_ = false;
};

// The pid of the new process, or -1 with errno.
pid_t start_rank(const RankStart& start, const StartReports& reports);

}  // namespace antiphon::launch
