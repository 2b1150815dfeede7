#include "node/node.hpp"

#include <fmt/format.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "common/failure.hpp"
#include "node/processes.hpp"
#include "node/snapshot.hpp"
#include "node/start_ranks.hpp"
#include "platform/linux/available_memory.hpp"

namespace antiphon::launch {
namespace {

int open_child_events() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  const int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) throw Failure{kExitFailure, fmt::format("cannot watch the ranks: {}", std::strerror(errno))};
  return fd;
}

void discard_child_events(int fd) {
  std::array<signalfd_siginfo, 16> events;
  while (read(fd, events.data(), sizeof events) > 0) {
  }
}

bootstrap::NodeSegment make_segment(const JobDescription& job, int number, const NodePlan& plan) {
  bootstrap::JobShape shape{.size = static_cast<std::uint32_t>(plan.ranks.size()),
                            .apps = static_cast<std::uint32_t>(job.apps.size()),
                            .usable_cpus = static_cast<std::uint32_t>(plan.usable_cpus),
                            .settings = job.values};
  if (job.nodes() > 1) {
    shape.node = static_cast<std::uint32_t>(number);
    shape.places = job.places;
    shape.node_names = job.node_names;
  }
  return bootstrap::NodeSegment::create(shape, bootstrap::MapExtent::header_and_slots);
}

}  // namespace

Node::Node(JobDescription job, int number, const Surroundings& surroundings,
           std::function<void(const NodeEvent&)> report)
    : job_(std::move(job)),
      number_(number),
      surroundings_(surroundings),
      report_(std::move(report)),
      plan_(job_, number_),
      segment_(make_segment(job_, number_, plan_)),
      streams_(job_.streams, report_),
      memory_kills_before_(platform::memory_kills()),
      child_events_(open_child_events()) {
  if (job_.nodes() > 1) open_broker();
  report_(Prepared{.binding = plan_.binding, .broker = broker_ ? broker_->endpoint() : BrokerEndpoint{}});
}

Node::~Node() {
  kill_all_descendants();
  close(child_events_);
}

void Node::open_broker() {
  const std::function<void(const std::string&)> note = [this](const std::string& text) { report_(Note{text}); };
  broker_ = surroundings_.open_broker(
      {.secret = job_.secret,
       .node = number_,
       .places = job_.places,
       .node_names = job_.node_names,
       .ports = job_.ports,
       .interfaces = job_.interfaces,
       .warn = note,
       .tell_details = job_.tell_details ? note : std::function<void(const std::string&)>{}});
  segment_.header().broker = broker_->address();
}

void Node::obey(const Start& order) {
  if (broker_) broker_->meet(order.brokers);
  const bool has_rank_0 = plan_.ranks.front().world_rank == 0;
  if (has_rank_0 && !surroundings_.has_input) input_.emplace();
  start_ranks({.job = job_,
               .plan = plan_,
               .segment = segment_,
               .streams = streams_,
               .input_fd = input_ ? input_->reading_end() : STDIN_FILENO,
               .signal_mask = surroundings_.signal_mask},
              start_reports_, ranks_);
  if (input_) input_->close_reading_end();
  report_(Started{.pids = ranks_.pids()});
}

void Node::obey(const SignalRanks& order) { ranks_.signal_running(order.signal); }

void Node::obey(const SignalAll& order) { signal_descendants(order.signal); }

void Node::obey(const Look& order) {
  streams_.catch_up();
  Seen seen{.number = order.number, .some_run = false, .ranks = take_snapshot(segment_, ranks_.exited())};
  seen.some_run = does_any_run(seen.ranks);
  if (order.even_if_some_run)
    mark_stopped(seen.ranks);
  else if (seen.some_run)
    seen.ranks.clear();
  report_(seen);
}

void Node::obey(const Input& order) {
  if (input_) input_->take(order.bytes);
}

void Node::obey(const Pause& /*order*/) { signal_descendants(SIGSTOP); }

void Node::obey(const Continue& /*order*/) { signal_descendants(SIGCONT); }

void Node::obey(const Finish& /*order*/) {
  kill_all_descendants();
  streams_.end();
  Finished finished;
  if (job_.values.counters == settings::Counters::on)
    for (const bootstrap::RankSlot& slot : segment_.slots()) finished.counted.push_back(slot.counted);
  report_(finished);
}

void Node::append_polls(std::vector<pollfd>& polls) const {
  polls.push_back({.fd = child_events_, .events = POLLIN, .revents = 0});
  if (!start_reports_.finished())
    polls.push_back({.fd = start_reports_.reading_end(), .events = POLLIN, .revents = 0});
  if (broker_) polls.push_back({.fd = broker_->descriptor(), .events = POLLIN, .revents = 0});
  if (input_) input_->append_polls(polls);
  streams_.append_polls(polls);
}

void Node::handle(std::span<const pollfd> polls) {
  discard_child_events(child_events_);
  streams_.handle(polls);
  if (broker_) broker_->handle();
  if (input_)
    if (const std::size_t taken = input_->pass_on()) report_(InputTaken{taken});
  report_start_failures();
  report_abort();
  report_ends();
}

std::optional<Nodes::Clock::time_point> Node::next_deadline() const {
  return broker_ ? broker_->next_deadline() : std::nullopt;
}

void Node::report_start_failures() {
  if (start_reports_.finished()) return;
  while (const std::optional<StartFailure> failure = start_reports_.next()) {
    const std::string_view step(failure->step, strnlen(failure->step, sizeof failure->step));
    const auto rank = std::ranges::find(plan_.ranks, failure->rank, &PlannedRank::world_rank);
    // The program existed before, so ENOENT from exec means that its interpreter or loader is missing.
    const bool no_loader = failure->error == ENOENT && step == "exec";
    report_(Failed{
        .exit_status = failure->error == ENOENT ? kExitNotFound : kExitNotExecutable,
        .message = fmt::format("rank {} cannot start '{}': {}: {}{}", failure->rank, plan_.programs[rank->app], step,
                               std::strerror(failure->error),
                               no_loader ? " (the interpreter or loader that its first line or header names)" : "")});
  }
}

void Node::report_abort() {
  const bootstrap::Header& header = segment_.header();
  if (abort_reported_ || header.abort_state.load(std::memory_order_acquire) != 2) return;
  abort_reported_ = true;
  streams_.catch_up();
  const auto rank = static_cast<std::size_t>(header.abort_rank);
  report_(Aborted{.rank = rank < plan_.ranks.size() ? plan_.ranks[rank].world_rank : -1,
                  .code = header.abort_code,
                  .text = {header.abort_text, strnlen(header.abort_text, sizeof header.abort_text)}});
}

// Why a rank has ended is reported before its end, so that this is not taken for the cause. The number of memory
// kills is read only if a rank was killed by SIGKILL, because that takes a while.
void Node::report_ends() {
  const std::vector<RankTable::EndedProcess> processes = ranks_.reap();
  if (processes.empty()) return;
  report_start_failures();
  report_abort();
  Ended ended;
  for (const auto& [rank, wait_status] : processes) {
    ended.ranks.push_back({.rank = plan_.ranks[static_cast<std::size_t>(rank)].world_rank,
                           .pid = ranks_.pids()[static_cast<std::size_t>(rank)],
                           .wait_status = wait_status,
                           .state = segment_.slot(static_cast<std::uint32_t>(rank)).state.load()});
  }
  const auto was_killed = [](const EndedRank& rank) {
    return WIFSIGNALED(rank.wait_status) && WTERMSIG(rank.wait_status) == SIGKILL;
  };
  if (std::ranges::any_of(ended.ranks, was_killed))
    ended.kills = {.before = memory_kills_before_, .now = platform::memory_kills()};
  if (std::ranges::any_of(ended.ranks, &EndedRank::wait_status)) streams_.catch_up();
  report_(ended);
}

}  // namespace antiphon::launch
