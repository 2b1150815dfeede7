#include "mpiexec/verdict.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>

#include "bootstrap/job.hpp"
#include "common/failure.hpp"

namespace antiphon::launch {
namespace {

bool was_killed(const EndedRank& ended) { return WIFSIGNALED(ended.wait_status); }
bool failed(const EndedRank& ended) { return ended.wait_status != 0; }

std::string reason(int signal_number, const MemoryKills& kills) {
  if (signal_number != SIGKILL || kills.now <= kills.before) return {};
  return fmt::format(
      ", very likely by the kernel, for want of memory: in this control group it has done so {} times "
      "since the job began",
      kills.now - kills.before);
}

JobVerdict judge_end(const EndedRank& ended, const std::string& host, const MemoryKills& kills) {
  const std::string who = name_rank(ended.rank, ended.pid, host);
  if (was_killed(ended)) {
    const int number = WTERMSIG(ended.wait_status);
    return {kExitSignal + number,
            fmt::format("{} died by signal {} ({}){}{}", who, number, strsignal(number),
                        WCOREDUMP(ended.wait_status) ? ", core dumped" : "", reason(number, kills))};
  }
  const int status = WEXITSTATUS(ended.wait_status);
  return {status, fmt::format("{} exited with status {}", who, status)};
}

}  // namespace

std::string name_rank(int rank, pid_t pid, const std::string& host) {
  return fmt::format("rank {} (pid {}, host {})", rank, pid, host);
}

std::optional<JobVerdict> judge_ends(const std::vector<EndedRank>& ended, const std::string& host,
                                     const MemoryKills& kills) {
  auto culprit = std::find_if(ended.begin(), ended.end(), was_killed);
  if (culprit == ended.end()) culprit = std::find_if(ended.begin(), ended.end(), failed);
  if (culprit == ended.end()) return std::nullopt;
  return judge_end(*culprit, host, kills);
}

JobVerdict judge_abort(const Aborted& abort, const std::string& who) {
  return {bootstrap::exit_status_of_abort(abort.code),
          fmt::format("{} aborted the job with code {}{}{}", who, abort.code, abort.text.empty() ? "" : ": ",
                      abort.text)};
}

}  // namespace antiphon::launch
