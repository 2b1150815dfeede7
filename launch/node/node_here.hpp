// The nodes of a job that has one, run by this process itself: mpiexec for a job on one machine, or the daemon of a
// node for its part of a larger one.
#pragma once

#include <memory>

#include "node/node.hpp"
#include "node/nodes.hpp"

namespace antiphon::launch {

class NodeHere : public Nodes {
 public:
  NodeHere(const Surroundings& surroundings, Report report)
      : surroundings_(surroundings), report_(std::move(report)) {}

  // The first order is Prepare, and names the node; to all: node 0.
  void order(int node, const NodeOrder& order) override;

  void append_polls(std::vector<pollfd>& polls) const override;
  void handle(std::span<const pollfd> polls) override;
  [[nodiscard]] std::optional<Clock::time_point> next_deadline() const override;
  void catch_up() override;
  // Whether to leave unread for now what the ranks print, whatever the orders say.
  void hold_output(bool hold);

 private:
  void prepare(int node, const JobDescription& job);

  Surroundings surroundings_;
  Report report_;
  int number_ = 0;
  std::unique_ptr<Node> node_;  // none before it is prepared, and where that failed
};

}  // namespace antiphon::launch
