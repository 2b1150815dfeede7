#include "node/node_here.hpp"

#include <variant>

#include "base/error.hpp"
#include "common/failure.hpp"

namespace antiphon::launch {

void NodeHere::order(int node, const NodeOrder& order) {
  try {
    if (const auto* first = std::get_if<Prepare>(&order))
      prepare(node, first->job);
    else if (node_)
      std::visit([this](const auto& what) { node_->obey(what); }, order);
    else if (std::holds_alternative<Finish>(order))
      report_(number_, Finished{});
  } catch (const Failure& failure) {
    report_(number_, Failed{.exit_status = failure.exit_status, .message = failure.message});
  } catch (const base::Error& error) {
    report_(number_, Failed{.exit_status = kExitFailure, .message = error.message});
  }
}

void NodeHere::prepare(int node, const JobDescription& job) {
  number_ = node == kAllNodes ? 0 : node;
  node_ = std::make_unique<Node>(job, number_, surroundings_,
                                 [this](const NodeEvent& event) { report_(number_, event); });
}

void NodeHere::append_polls(std::vector<pollfd>& polls) const {
  if (node_) node_->append_polls(polls);
}

void NodeHere::handle(std::span<const pollfd> polls) {
  if (node_) node_->handle(polls);
}

std::optional<Nodes::Clock::time_point> NodeHere::next_deadline() const {
  return node_ ? node_->next_deadline() : std::nullopt;
}

void NodeHere::hold_output(bool hold) {
  if (node_) node_->hold_output(hold);
}

void NodeHere::catch_up() {
  if (node_) node_->catch_up();
}

}  // namespace antiphon::launch
