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
  if (self != Tree::kFront) add({.node = self, .host = name(self), .command = {job.daemon}, .work = work});
  for (const int node : tree_.children(self)) {
    const std::string& host = name(node);
    const std::vector<std::string> command = daemon_command(job, host);
    if (job.tell_details) on_event_(node, encode(NodeEvent{Note{fmt::format("starting '{}'", shown(command))}}));
    add({.node = node, .host = host, .command = command});
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
  if (node != kAllNodes && !tree_.is_within(node, self_)) return;
  const int through = node == kAllNodes || node == self_ ? node : tree_.next(self_, node);
  for (const auto& branch : branches_)
    if (through == kAllNodes || branch->node() == through) branch->send(node, order);
}

bool Branches::has_unsent() const {
  return std::ranges::any_of(branches_, [](const auto& branch) { return branch->has_unsent(); });
}

void Branches::append_polls(std::vector<pollfd>& polls) const {
  for (const auto& branch : branches_) branch->append_polls(polls);
}

void Branches::handle(std::span<const pollfd> polls) {
  for (const auto& branch : branches_) {
    branch->handle(polls, [&](const Frame& frame) { take_frame(*branch, frame); });
    if (branch->loss()) losses_.emplace_back(branch->node(), *branch->loss());
  }
  std::erase_if(branches_, [](const auto& branch) { return branch->loss().has_value(); });
  for (const auto& [node, why] : std::exchange(losses_, {})) report_loss(node, why);
}

void Branches::keep_alive() {
  for (const auto& branch : branches_) branch->keep_alive();
}

// A daemon speaks for the hosts that are reached through it, and for no others.
void Branches::take_frame(const Branch& from, const Frame& frame) const {
  const bool is_its_own = from.node() == self_ ? frame.node == self_ : tree_.is_within(frame.node, from.node());
  if (!is_its_own) throw Malformed("a message in the name of another host");
  on_event_(frame.node, frame.bytes);
}

void Branches::report_loss(int node, const std::string& why) {
  constexpr std::size_t kMostNamed = 20;
  std::vector<int> lost{node};
  if (node != self_) lost = tree_.below(node);
  std::string message = why;
  for (std::size_t i = 1; i < lost.size() && i <= kMostNamed; ++i)
    message += (i == 1 ? "\nwith it those that were reached through it: " : ", ") + name(lost[i]);
  if (lost.size() - 1 > kMostNamed) message += fmt::format(" and {} more", lost.size() - 1 - kMostNamed);
  for (const int each : lost) on_event_(each, encode(NodeEvent{Lost{message}}));
}

std::chrono::steady_clock::time_point Branches::next_deadline() const {
  auto next = std::chrono::steady_clock::time_point::max();
  for (const auto& branch : branches_) next = std::min(next, branch->next_deadline());
  return losses_.empty() ? next : std::chrono::steady_clock::now();
}

}  // namespace antiphon::launch
