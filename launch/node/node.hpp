// One node of a job: its segment, its ranks and all that they have started, their streams, and its connection broker.
// It obeys the orders of the job, and reports what happens; it decides nothing. It never waits: whoever owns it polls
// its descriptors. All its processes are descendants of the process that owns it, and end with it. One thread.
#pragma once

#include <poll.h>
#include <signal.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bootstrap/node_segment.hpp"
#include "node/events.hpp"
#include "node/node_broker.hpp"
#include "node/nodes.hpp"
#include "node/plan.hpp"
#include "node/rank_input.hpp"
#include "node/rank_streams.hpp"
#include "node/rank_table.hpp"
#include "node/spawn.hpp"

namespace antiphon::launch {

// What a node takes over from the process that owns it.
struct Surroundings {
  sigset_t signal_mask;         // the ranks get this mask
  bool has_input;               // rank 0 reads the standard input of this process; otherwise it gets it by orders
  OpenBroker open_broker = {};  // for a job of several nodes
};

class Node {
 public:
  // Prepares the node, and reports that. Throws Failure or base::Error.
  Node(JobDescription job, int number, const Surroundings& surroundings,
       std::function<void(const NodeEvent&)> report);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  // Kills all its processes.
  ~Node();

  void obey(const Prepare&) {}
  void obey(const Start& order);
  void obey(const SignalRanks& order);
  void obey(const SignalAll& order);
  void obey(const Look& order);
  void obey(const HoldOutput& order) { streams_.hold(order.stream, order.hold); }
  void obey(const CloseOutput& order) { streams_.close_all(order.stream); }
  void obey(const Input& order);
  void obey(const Pause& order);
  void obey(const Continue& order);
  void obey(const Finish& order);

  void append_polls(std::vector<pollfd>& polls) const;
  // Also looks for what no descriptor tells, as a call of MPI_Abort; so it is to be called once a second.
  void handle(std::span<const pollfd> polls);
  [[nodiscard]] std::optional<Nodes::Clock::time_point> next_deadline() const;
  void catch_up() { streams_.catch_up(); }
  void hold_output(bool hold) { streams_.hold_all(hold); }

 private:
  void open_broker();
  void report_start_failures();
  void report_abort();
  void report_ends();

  const JobDescription job_;
  const int number_;
  const Surroundings surroundings_;
  const std::function<void(const NodeEvent&)> report_;
  NodePlan plan_;
  std::unique_ptr<NodeBroker> broker_;  // in a job of several nodes
  bootstrap::NodeSegment segment_;
  RankStreams streams_;
  RankTable ranks_;
  StartReports start_reports_;
  std::optional<RankInput> input_;
  const std::uint64_t memory_kills_before_;
  const int child_events_;  // signalfd
  bool abort_reported_ = false;
};

}  // namespace antiphon::launch
