#include "hosts/branches.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "common/failure.hpp"
#include "hosts/daemon_command.hpp"
#include "node/nodes.hpp"
#include "wire/messages.hpp"

namespace antiphon::launch {

using namespace std::chrono_literals;

Branches::Branches(const JobDescription& job, int self, const std::function<int()>& work, OnEvent on_event)
    : tree_{.nodes = job.nodes(), .fan_out = job.fan_out},
      self_(self),
      names_(job.node_names),
      on_event_(std::move(on_event)) {
  // The copy of this process comes first, so that it inherits no connection to the others.
  if (self != Tree::kFront)
    add({.node = self, .host = names_[static_cast<std::size_t>(self)], .command = {job.daemon}, .work = work});
  for (const int node : tree_.children(self)) {
    const std::string& host = names_[static_cast<std::size_t>(node)];
    add({.node = node, .host = host, .command = daemon_command(job, host)});
  }
}

Branches::~Branches() {
  for (const auto& branch : branches_) branch->close();
  const auto give_up = std::chrono::steady_clock::now() + 3s;
  for (const auto& branch : branches_)
    while (branch->pid() > 0 && waitpid(branch->pid(), nullptr, WNOHANG) == 0 &&
           std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(1ms);
}

void Branches::add(BranchPlan plan) {
  const int node = plan.node;
  try {
    branches_.push_back(std::make_unique<Branch>(std::move(plan)));
  } catch (const Failure& failure) {
    losses_.emplace_back(node, failure.message);
  }
}

void Branches::send_first(std::string_view order) {
  for (const auto& branch : branches_) branch->send(branch->node(), order);
}

void Branches::send(int node, std::string_view order) {
  const int through = node == kAllNodes || node == self_ ? node : tree_.next(self_, node);
  for (const auto& branch : branches_)
    if (through == kAllNodes || branch->node() == through) branch->send(node, order);
}

void Branches::append_polls(std::vector<pollfd>& polls) const {
  for (const auto& branch : branches_) branch->append_polls(polls);
}

void Branches::handle(std::span<const pollfd> polls) {
  for (const auto& branch : branches_) {
    branch->handle(polls, [this](const Frame& frame) { on_event_(frame.node, frame.bytes); });
    if (branch->loss()) losses_.emplace_back(branch->node(), *branch->loss());
  }
  std::erase_if(branches_, [](const auto& branch) { return branch->loss().has_value(); });
  for (const auto& [node, why] : std::exchange(losses_, {})) report_loss(node, why);
}

void Branches::report_loss(int node, const std::string& why) {
  if (node == self_) return on_event_(node, encode(NodeEvent{Lost{why}}));
  for (const int lost : tree_.below(node))
    on_event_(lost,
              encode(NodeEvent{Lost{lost == node ? why
                                                 : fmt::format("lost host {}, which was reached through host {}",
                                                               names_[static_cast<std::size_t>(lost)],
                                                               names_[static_cast<std::size_t>(node)])}}));
}

std::chrono::steady_clock::time_point Branches::next_deadline() const {
  auto next = std::chrono::steady_clock::time_point::max();
  for (const auto& branch : branches_) next = std::min(next, branch->next_deadline());
  return losses_.empty() ? next : std::chrono::steady_clock::now();
}

}  // namespace antiphon::launch
