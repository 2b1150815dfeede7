#include "node/rank_table.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>

namespace antiphon::launch {

void RankTable::add(pid_t pid) {
  rank_of_[pid] = static_cast<int>(pids_.size());
  pids_.push_back(pid);
  exited_.push_back(false);
}

std::vector<RankTable::EndedProcess> RankTable::reap() {
  std::vector<EndedProcess> ended;
  int wait_status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &wait_status, WNOHANG)) > 0;) {
    const auto known = rank_of_.find(pid);
    if (known == rank_of_.end()) continue;
    const int rank = known->second;
    ended.push_back({.rank_on_node = rank, .wait_status = wait_status});
    exited_[static_cast<std::size_t>(rank)] = true;
    rank_of_.erase(known);  // the kernel may reuse the number
  }
  std::ranges::sort(ended, {}, &EndedProcess::rank_on_node);
  return ended;
}

void RankTable::signal_running(int signal_number) const {
  for (const auto& [pid, rank] : rank_of_) kill(pid, signal_number);
}

}  // namespace antiphon::launch
