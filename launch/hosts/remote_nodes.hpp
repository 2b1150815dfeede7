// Nodes that daemons run, on this machine or on others. Part of mpiexec.
#pragma once

#include <memory>

#include "hosts/branches.hpp"
#include "hosts/event_check.hpp"
#include "node/nodes.hpp"

namespace antiphon::launch {

class RemoteNodes : public Nodes {
 public:
  explicit RemoteNodes(Report report) : report_(std::move(report)) {}

  // Ends the daemons, and kills what is left of them on this machine.
  ~RemoteNodes() override;

  // The first order is Prepare, to all nodes.
  void order(int node, const NodeOrder& order) override;

  [[nodiscard]] bool has_unsent_orders() const override { return branches_ && branches_->has_unsent(); }
  void append_polls(std::vector<pollfd>& polls) const override;
  void handle(std::span<const pollfd> polls) override;
  [[nodiscard]] std::optional<Clock::time_point> next_deadline() const override;
  void catch_up() override {}

 private:
  void take_event(int node, std::string_view bytes);

  Report report_;
  EventCheck check_;
  std::unique_ptr<Branches> branches_;
};

}  // namespace antiphon::launch
