// One job from its first rank to its last process: decides what happens, and tells the user. The nodes run the ranks
// and report events (node/events.hpp). The job sleeps in poll(2) until there is one, the front passes on a signal,
// output can be written, or a second has passed. The first failure decides the exit status and ends the job: every
// process gets SIGTERM, and SIGKILL after the time in the setting kill_after. Runs in the supervisor.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpiexec/guard.hpp"
#include "mpiexec/hang.hpp"
#include "mpiexec/job_input.hpp"
#include "mpiexec/looks.hpp"
#include "mpiexec/options.hpp"
#include "mpiexec/output.hpp"
#include "mpiexec/stop_request.hpp"
#include "mpiexec/verdict.hpp"
#include "node/nodes.hpp"

namespace antiphon::launch {

class Job {
 public:
  Job(const JobOptions& options, const SupervisorContext& context);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // Returns the exit status of mpiexec when no process of the job is left.
  int run();

 private:
  using Clock = Nodes::Clock;

  enum class NodeState { preparing, prepared, starting, running, failed, finished, lost };
  struct NodeStatus {
    NodeState state = NodeState::preparing;
    int running = 0;  // ranks
    std::vector<std::vector<int>> binding = {};
    BrokerEndpoint broker = {};
    std::vector<RankCounters> counted = {};
  };

  std::unique_ptr<Nodes> make_nodes();
  void wait_for_event();
  [[nodiscard]] Clock::time_point next_deadline() const;
  void step();
  void obey_front();
  void obey_terminal();
  void order_all(const NodeOrder& order) { nodes_->order(kAllNodes, order); }
  [[nodiscard]] bool ranks_are_over() const;
  [[nodiscard]] bool nodes_are_over() const;
  void finish();

  // Events of nodes are kept until the nodes have done what they do, except for output.
  void take_event(int node, const NodeEvent& event);
  void handle_events();
  void handle(int node, Prepared& event);
  void handle(int node, const Started& event);
  void handle(int node, const Failed& event);
  void handle(int node, const Printed& event);
  void handle(int node, const StreamEnded& event);
  void handle(int node, const Aborted& event);
  void handle(int node, Ended& event);
  void handle(int node, const Seen& event);
  void handle(int node, const InputTaken& event);
  void handle(int node, const Note& event);
  void handle(int node, Finished& event);
  void handle(int node, const Lost& event);

  void await_order_that_killed(const std::vector<EndedRank>& ended);
  void note_late_failures(Ended& ended);
  [[nodiscard]] std::optional<JobVerdict> judge(const std::vector<EndedRank>& ended, const MemoryKills& kills) const;

  void check_deadlines();
  void look(bool even_if_some_run);
  void judge_look();
  void end_after_timeout();

  void report_bindings();
  void tell_what_runs();
  void tell_counters();
  [[nodiscard]] bool has_input() const;
  void pass_on_input();
  void balance_output();
  void tell_lost_output();
  void say(std::string_view text);
  void end_job(const JobVerdict& verdict);

  [[nodiscard]] const std::string& host_of(int rank) const;
  [[nodiscard]] std::vector<int> ranks_of(int node) const;
  // The rank's name in messages.
  [[nodiscard]] std::string name(int rank) const;
  // How the node is called in front of a message that comes from it: not at all if it is the only one.
  [[nodiscard]] std::string prefix(int node) const;

  const JobOptions& options_;
  const SupervisorContext& context_;
  JobOutput output_;
  const JobDescription job_;
  std::vector<NodeStatus> status_;  // by node
  std::vector<pid_t> pids_;         // by rank
  std::vector<std::pair<int, NodeEvent>> events_;
  std::unique_ptr<Nodes> nodes_;
  std::optional<JobInput> input_;            // if rank 0 does not read it itself
  std::optional<StopRequest> stop_request_;  // if daemons run the ranks
  std::vector<pollfd> polls_;
  // By stream: what the nodes were told.
  std::vector<bool> held_, closed_;

  Looks looks_;
  HangDetector hang_;
  Clock::time_point next_look_;
  std::optional<Clock::time_point> timeout_;
  // The last look before the timeout ends the job: whoever has not answered by now does not count.
  std::optional<Clock::time_point> last_look_;
  // A rank has exited without MPI_Finalize. That is an error if other ranks still run at this time.
  std::optional<Clock::time_point> desertion_;
  EndedRank deserter_{};
  // A rank has exited with status 0 but without MPI_Init. That is an error if the others hang.
  std::optional<int> absentee_;

  bool front_is_gone_ = false;
  std::optional<int> exit_status_;  // if set, the job is being ended
  // The exit status if nothing worse follows, because a rank failed after MPI_Finalize or output was lost.
  std::optional<int> late_failure_;
  bool lost_output_told_ = false;
  std::optional<Clock::time_point> kill_;
  std::optional<Clock::time_point> give_up_;  // on nodes that do not finish
};

}  // namespace antiphon::launch
