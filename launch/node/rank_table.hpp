// The processes of this node's ranks, by rank on the node: their process ids, and which have ended. Owned by the
// supervisor.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "mpiexec/verdict.hpp"

namespace antiphon::launch {

class RankTable {
 public:
  void add(pid_t pid, int world_rank);

  // Reaps every child that has ended, including orphans, and returns those that are ranks, in ascending order.
  std::vector<EndedRank> reap();

  void signal_running(int signal_number) const;

  [[nodiscard]] bool any_running() const { return running_ > 0; }
  [[nodiscard]] int size() const { return static_cast<int>(pids_.size()); }
  [[nodiscard]] pid_t pid(int rank) const { return pids_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int world_rank(int rank) const { return world_ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const std::vector<bool>& exited() const { return exited_; }

 private:
  std::vector<pid_t> pids_;
  std::vector<int> world_ranks_;
  std::vector<bool> exited_;
  std::unordered_map<pid_t, int> rank_of_;
  std::size_t running_ = 0;
};

}  // namespace antiphon::launch
