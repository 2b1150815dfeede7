// One job from its first rank to its last process: all the work of the supervisor. It sleeps in poll(2) until a rank
// ends, the front passes on a signal, output arrives or a second has passed. The first failure decides the exit
// status and ends the job: every process gets SIGTERM, and SIGKILL after the time in the setting kill_after.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bootstrap/node_segment.hpp"
#include "mpiexec/guard.hpp"
#include "mpiexec/hang.hpp"
#include "mpiexec/options.hpp"
#include "mpiexec/output.hpp"
#include "mpiexec/verdict.hpp"
#include "node/plan.hpp"
#include "node/rank_table.hpp"
#include "node/spawn.hpp"

namespace antiphon::launch {

class Job {
 public:
  Job(const JobOptions& options, const SupervisorContext& context);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job();

  // Returns the exit status of mpiexec when no process of the job is left. Throws Failure if the job cannot be
  // started.
  int run();

 private:
  using Clock = std::chrono::steady_clock;

  void start();
  void tell_what_runs();
  void wait_for_event();
  [[nodiscard]] Clock::time_point next_deadline() const;

  void obey_orders();
  void read_start_failures();
  void check_abort();
  void reap_ranks();
  void await_order_that_killed(const std::vector<EndedRank>& ended);
  void note_late_failures(std::vector<EndedRank>& ended);
  void check_deadlines();
  void look_for_hang();
  void tell_lost_output();
  void pass_on_rest();

  void say(std::string_view text);
  void tell_counters();
  [[nodiscard]] bootstrap::RankSlot& slot(int rank_on_node) const {
    return segment_.slot(static_cast<std::uint32_t>(rank_on_node));
  }
  [[nodiscard]] std::optional<Verdict> judge(const std::vector<EndedRank>& ended) const;
  // The rank's name in messages.
  [[nodiscard]] std::string name(int rank_on_node) const;

  void end_job(const Verdict& verdict);
  void end_after_timeout();

  const JobOptions& options_;
  const SupervisorContext& context_;
  const std::string host_;
  JobPlan plan_;
  bootstrap::NodeSegment segment_;
  RankTable ranks_;
  StartReports reports_;
  RankOutput output_;
  const std::uint64_t memory_kills_before_;
  int child_events_;  // signalfd
  std::vector<pollfd> polls_;

  HangDetector hang_;
  Clock::time_point next_look_;
  std::optional<Clock::time_point> timeout_;
  // A rank has exited without MPI_Finalize. That is an error if other ranks still run at this time.
  std::optional<Clock::time_point> desertion_;
  int deserter_ = 0;  // its rank on the node
  // A rank has exited with status 0 but without MPI_Init. That is an error if the others hang.
  std::optional<int> absentee_;

  bool front_is_gone_ = false;
  std::optional<int> exit_status_;  // if set, the job is being ended
  // The exit status if nothing worse follows, because a rank failed after MPI_Finalize or output was lost.
  std::optional<int> late_failure_;
  bool lost_output_told_ = false;
  std::optional<Clock::time_point> kill_;
};

}  // namespace antiphon::launch
