#include "mpiexec/verdict.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>

#include "bootstrap/bootstrap.hpp"
#include "mpiexec/failure.hpp"

namespace antiphon::launch {
namespace {

bool was_killed(const EndedRank& ended) { return WIFSIGNALED(ended.wait_status); }
bool failed(const EndedRank& ended) { return ended.wait_status != 0; }

Verdict judge_end(const EndedRank& ended, const std::string& host) {
  const std::string who = name_rank(ended.rank, ended.pid, host);
  if (was_killed(ended)) {
    const int number = WTERMSIG(ended.wait_status);
    return {kExitSignal + number, fmt::format("{} died by signal {} ({}){}", who, number, strsignal(number),
                                              WCOREDUMP(ended.wait_status) ? ", core dumped" : "")};
  }
  const int status = WEXITSTATUS(ended.wait_status);
  return {status, fmt::format("{} exited with status {}", who, status)};
}

}  // namespace

std::string name_rank(int rank, pid_t pid, const std::string& host) {
  return fmt::format("rank {} (pid {}, host {})", rank, pid, host);
}

std::optional<Verdict> judge_ends(const std::vector<EndedRank>& ended, const std::string& host) {
  auto culprit = std::find_if(ended.begin(), ended.end(), was_killed);
  if (culprit == ended.end()) culprit = std::find_if(ended.begin(), ended.end(), failed);
  if (culprit == ended.end()) return std::nullopt;
  return judge_end(*culprit, host);
}

Verdict judge_abort(const bootstrap::Header& header, pid_t pid, const std::string& host) {
  const std::string text(header.abort_text, strnlen(header.abort_text, sizeof header.abort_text));
  return {bootstrap::exit_status_of_abort(header.abort_code),
          fmt::format("{} aborted the job with code {}{}{}", name_rank(header.abort_rank, pid, host),
                      header.abort_code, text.empty() ? "" : ": ", text)};
}

}  // namespace antiphon::launch
