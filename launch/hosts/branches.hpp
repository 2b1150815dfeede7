// The daemons that this process has started, and the way to all nodes below them. mpiexec has them, and each daemon:
// its own node is the first of its branches. A branch that is lost is reported as an event of each of its nodes.
#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hosts/branch.hpp"
#include "hosts/tree.hpp"
#include "node/description.hpp"

namespace antiphon::launch {

class Branches {
 public:
  using OnEvent = std::function<void(int node, std::string_view event)>;

  // `self`: the node of this process, or Tree::kFront. Starts all; what cannot be started is lost. `work`: what a
  // copy of this process does to run its own node.
  Branches(const JobDescription& job, int self, const std::function<int()>& work, OnEvent on_event);
  Branches(const Branches&) = delete;
  Branches& operator=(const Branches&) = delete;
  // Ends the daemons, and waits a few seconds for them.
  ~Branches();

  // The first order, which each daemon passes on in the same way. It tells a daemon its node.
  void send_first(std::string_view order);
  // To the node, or to all. An order for a node that is not reached from here is dropped.
  void send(int node, std::string_view order);

  [[nodiscard]] bool has_unsent() const;

  void append_polls(std::vector<pollfd>& polls) const;
  // Takes what the daemons send, and lets them know that this process is alive.
  void handle(std::span<const pollfd> polls);
  // The latter alone, while nothing should be taken.
  void keep_alive();
  [[nodiscard]] std::chrono::steady_clock::time_point next_deadline() const;

 private:
  void add(BranchPlan plan);
  [[nodiscard]] const std::string& name(int node) const { return names_[static_cast<std::size_t>(node)]; }
  void take_frame(const Branch& from, const Frame& frame) const;
  void report_loss(int node, const std::string& why);

  const Tree tree_;
  const int self_;
  const std::vector<std::string> names_;
  const OnEvent on_event_;
  std::vector<std::unique_ptr<Branch>> branches_;    // without those that are lost
  std::vector<std::pair<int, std::string>> losses_;  // to be reported
};

}  // namespace antiphon::launch
