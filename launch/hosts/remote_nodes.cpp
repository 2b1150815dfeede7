#include "hosts/remote_nodes.hpp"

#include <fmt/format.h>

#include <variant>

#include "node/processes.hpp"
#include "wire/messages.hpp"

namespace antiphon::launch {

RemoteNodes::~RemoteNodes() {
  branches_.reset();
  kill_all_descendants();
}

void RemoteNodes::order(int node, const NodeOrder& order) {
  const std::string bytes = encode(order);
  if (const auto* first = std::get_if<Prepare>(&order)) {
    check_ = EventCheck(first->job);
    branches_ = std::make_unique<Branches>(first->job, Tree::kFront, nullptr,
                                           [this](int from, std::string_view event) { take_event(from, event); });
    branches_->send_first(bytes);
  } else if (branches_) {
    branches_->send(node, bytes);
  }
}

// What a daemon sends is not trusted blindly: an event that makes no sense is the end of its node.
void RemoteNodes::take_event(int node, std::string_view bytes) {
  if (!check_.has_node(node)) return;
  try {
    const NodeEvent event = decode_event(bytes);
    check_.check(node, event);
    report_(node, event);
  } catch (const Malformed& wrong) {
    report_(node, Lost{fmt::format("lost host {}: its daemon sent {}", check_.name(node), wrong.what())});
  }
}

void RemoteNodes::append_polls(std::vector<pollfd>& polls) const {
  if (branches_) branches_->append_polls(polls);
}

void RemoteNodes::handle(std::span<const pollfd> polls) {
  if (branches_) branches_->handle(polls);
}

std::optional<Nodes::Clock::time_point> RemoteNodes::next_deadline() const {
  if (!branches_) return std::nullopt;
  return branches_->next_deadline();
}

}  // namespace antiphon::launch
