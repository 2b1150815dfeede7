// The processes of a node's ranks, by rank on the node: their process ids, and which have ended. Owned by the Node.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace antiphon::launch {

class RankTable {
 public:
  void add(pid_t pid);

  struct EndedProcess {
    int rank_on_node;
    int wait_status;
  };
  // Reaps every child that has ended, including orphans, and returns those that are ranks, in ascending order.
  std::vector<EndedProcess> reap();

  void signal_running(int signal_number) const;

  [[nodiscard]] const std::vector<pid_t>& pids() const { return pids_; }
  [[nodiscard]] const std::vector<bool>& exited() const { return exited_; }

 private:
  std::vector<pid_t> pids_;
  std::vector<bool> exited_;
  std::unordered_map<pid_t, int> rank_of_;
};

}  // namespace antiphon::launch
