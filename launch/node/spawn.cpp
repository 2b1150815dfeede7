#include "node/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "common/failure.hpp"

namespace antiphon::launch {
namespace {

// From here to exec, the child makes system calls only.

[[noreturn]] void report_and_exit(const RankStart& start, int report_fd, const char* step) {
  StartFailure failure{.rank = start.rank, .error = errno, .step = {}};
  std::strncpy(failure.step, step, sizeof failure.step - 1);
  // Shorter than PIPE_BUF, so the write is atomic.
  [[maybe_unused]] const ssize_t ignored = write(report_fd, &failure, sizeof failure);
  _exit(kExitNotFound);
}

// dup2 of a descriptor onto itself would keep its close-on-exec flag.
bool becomes(int fd, int wanted) {
  if (fd == wanted) return fcntl(fd, F_SETFD, 0) == 0;
  return dup2(fd, wanted) == wanted;
}

bool bind_to(const std::vector<int>& cpus) {
  if (cpus.empty()) return true;
  constexpr std::size_t kWordBits = 8 * sizeof(unsigned long);
  std::array<unsigned long, 1024> mask{};  // 65536 cpus
  for (const int cpu : cpus) {
    const auto bit = static_cast<std::size_t>(cpu);
    mask[bit / kWordBits % mask.size()] |= 1UL << bit % kWordBits;
  }
  const std::size_t words = static_cast<std::size_t>(cpus.back()) / kWordBits + 1;
  return sched_setaffinity(0, words * sizeof(unsigned long), reinterpret_cast<const cpu_set_t*>(mask.data())) == 0;
}

[[noreturn]] void become_rank(const RankStart& start, pid_t supervisor, int report_fd) {
  // If the supervisor dies, the kernel kills this rank. If it has died before this call, the signal was missed, so
  // check.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(kExitFailure);

  if (!becomes(start.input_fd, STDIN_FILENO) || !becomes(start.output_fd, STDOUT_FILENO) ||
      !becomes(start.error_fd, STDERR_FILENO) || fcntl(start.job_fd, F_SETFD, 0) != 0) {
    report_and_exit(start, report_fd, "descriptors");
  }
  setrlimit(RLIMIT_NOFILE, &start.descriptors);
  if (start.working_directory != nullptr && chdir(start.working_directory) != 0) {
    report_and_exit(start, report_fd, "chdir");
  }
  bind_to(start.cpus);  // failure is ignored: the CPU set may have shrunk meanwhile
  sigprocmask(SIG_SETMASK, &start.signal_mask, nullptr);
  // execvpe runs a script without "#!" by /bin/sh, as shells do. The path contains a slash, so PATH is not searched.
  execvpe(start.path, start.arguments, start.environment);
  report_and_exit(start, report_fd, "exec");
}

}  // namespace

StartReports::StartReports() {
  if (pipe2(ends_, O_CLOEXEC) != 0) {
    throw Failure{kExitFailure, fmt::format("cannot make a pipe: {}", std::strerror(errno))};
  }
  fcntl(ends_[0], F_SETFL, O_NONBLOCK);
}

StartReports::~StartReports() {
  close_writing_end();
  close(ends_[0]);
}

void StartReports::close_writing_end() {
  if (ends_[1] >= 0) close(ends_[1]);
  ends_[1] = -1;
}

std::optional<StartFailure> StartReports::next() {
  StartFailure failure;
  const ssize_t length = read(ends_[0], &failure, sizeof failure);
  if (length == ssize_t{sizeof failure}) return failure;
  if (length == 0) finished_ = true;
  return std::nullopt;
}

pid_t start_rank(const RankStart& start, const StartReports& reports) {
  const pid_t supervisor = getpid();
  const pid_t pid = fork();
  if (pid == 0) become_rank(start, supervisor, reports.writing_end());
  return pid;
}

}  // namespace antiphon::launch
