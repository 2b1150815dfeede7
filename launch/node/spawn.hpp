// Starts one rank: forks, sets the child's descriptors, directory, CPUs and signals, and executes the program. The
// child reports errors through a pipe, which a successful exec closes.
#pragma once

#include <sched.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace antiphon::launch {

// Everything a child needs, prepared before the fork, because the child must not allocate memory before exec.
struct RankStart {
  int rank;
  const char* path;
  char* const* arguments;
  char* const* environment;
  const char* working_directory;  // null: that of mpiexec
  int job_fd;                     // stays open across exec
  int input_fd;                   // these become 0, 1 and 2, and may be so already
  int output_fd;
  int error_fd;
  const rlimit& descriptors;     // limit of open descriptors
  const std::vector<int>& cpus;  // empty: not bound
  const sigset_t& signal_mask;   // as mpiexec inherited it
};

// A child that could not execute its program.
struct StartFailure {
  int rank;
  int error;      // errno
  char step[16];  // "exec", "chdir"
};

// The pipe through which children report StartFailures; all children share the writing end.
class StartReports {
 public:
  StartReports();
  StartReports(const StartReports&) = delete;
  StartReports& operator=(const StartReports&) = delete;
  ~StartReports();

  [[nodiscard]] int reading_end() const { return ends_[0]; }
  [[nodiscard]] int writing_end() const { return ends_[1]; }
  // Closes the parent's copy; call it after the last rank has been started.
  void close_writing_end();
  // The next report; nothing if there is none now, or if finished().
  std::optional<StartFailure> next();
  // Every child has executed its program or ended.
  [[nodiscard]] bool finished() const { return finished_; }

 private:
  int ends_[2];
  bool finished_ = false;
};

// The process id of the new process, or -1 with errno.
pid_t start_rank(const RankStart& start, const StartReports& reports);

}  // namespace antiphon::launch
