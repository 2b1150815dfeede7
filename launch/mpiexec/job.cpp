#include "mpiexec/job.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>

#include "common/failure.hpp"
#include "hosts/remote_nodes.hpp"
#include "mpiexec/counters.hpp"
#include "mpiexec/describe_job.hpp"
#include "node/binding.hpp"
#include "node/node_here.hpp"

namespace antiphon::launch {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookEvery = 1s;  // how often nodes check what no descriptor tells, such as MPI_Abort
constexpr auto kGraceForDeserters = 1s;
constexpr auto kGraceForLastLook = 1s;
constexpr auto kGraceForPause = 1s;
// A process that SIGKILL does not end keeps a node for some seconds (kill_all_descendants).
constexpr auto kGraceForFinish = 8s;

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

}  // namespace

Job::Job(const JobOptions& options, const SupervisorContext& context)
    : options_(options),
      context_(context),
      output_(options.ranks(), options.label_output ? Labels::rank : Labels::none),
      job_(describe_job(options, output_)),
      status_(static_cast<std::size_t>(job_.nodes())),
      pids_(static_cast<std::size_t>(job_.ranks())),
      nodes_(make_nodes()),
      held_(output_.streams()),
      closed_(output_.streams()),
      hang_(options.settings.hang_looks),
      next_look_(Clock::now() + options.settings.hang_look_every) {
  if (!options_.placement.is_here) {
    input_.emplace();
    stop_request_.emplace();
  }
  if (options_.timeout) timeout_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*options_.timeout);
}

std::unique_ptr<Nodes> Job::make_nodes() {
  const auto report = [this](int node, const NodeEvent& event) { take_event(node, event); };
  if (!options_.placement.is_here) return std::make_unique<RemoteNodes>(report);
  return std::make_unique<NodeHere>(Surroundings{.signal_mask = context_.original_mask, .has_input = true}, report);
}

int Job::run() {
  order_all(Prepare{job_});
  handle_events();
  while (!ranks_are_over() && !front_is_gone_) step();
  if (!front_is_gone_) finish();
  if (options_.settings.counters == settings::Counters::on) tell_counters();
  return exit_status_.value_or(late_failure_.value_or(0));
}

void Job::step() {
  wait_for_event();
  obey_front();
  obey_terminal();
  nodes_->handle(polls_);
  handle_events();
  pass_on_input();
  output_.write_what_is_ready();
  tell_lost_output();
  balance_output();
  check_deadlines();
  handle_events();
}

void Job::wait_for_event() {
  polls_.clear();
  polls_.push_back({.fd = context_.orders.fd(), .events = POLLIN, .revents = 0});
  nodes_->append_polls(polls_);
  output_.append_polls(polls_);
  if (has_input()) input_->append_polls(polls_);
  if (stop_request_) polls_.push_back({.fd = stop_request_->fd(), .events = POLLIN, .revents = 0});
  const auto pause = std::chrono::ceil<std::chrono::milliseconds>(next_deadline() - Clock::now());
  const auto longest = std::chrono::milliseconds(kLookEvery);
  poll(polls_.data(), polls_.size(), static_cast<int>(std::clamp(pause, 0ms, longest).count()));
}

Job::Clock::time_point Job::next_deadline() const {
  Clock::time_point next = exit_status_ ? kill_.value_or(Clock::now() + kLookEvery) : next_look_;
  const auto consider = [&next](const std::optional<Clock::time_point>& deadline) {
    if (deadline) next = std::min(next, *deadline);
  };
  consider(output_.next_deadline());
  consider(nodes_->next_deadline());
  consider(give_up_);
  if (exit_status_) return next;
  consider(timeout_);
  consider(last_look_);
  consider(desertion_);
  return next;
}

void Job::obey_front() {
  while (const int order = context_.orders.next()) {
    if (order == Orders::kFrontIsGone) {
      front_is_gone_ = true;
      exit_status_ = kExitFailure;
      return;
    }
    if (order == SIGUSR1 || order == SIGUSR2) {
      order_all(SignalRanks{order});
    } else if (exit_status_) {
      kill_ = Clock::now();  // the second request kills at once
    } else {
      end_job(
          {kExitSignal + order, fmt::format("stopped by signal {} ({}): ending the job", order, strsignal(order))});
    }
  }
}

// Nodes may take a moment to read the order.
void Job::obey_terminal() {
  if (!stop_request_ || !stop_request_->take()) return;
  order_all(Pause{});
  const auto give_up = Clock::now() + kGraceForPause;
  while (nodes_->has_unsent_orders() && Clock::now() < give_up) {
    wait_for_event();
    nodes_->handle(polls_);
  }
  StopRequest::stop_here();
  order_all(Continue{});
}

bool Job::ranks_are_over() const {
  return std::ranges::all_of(status_, [this](const NodeStatus& node) {
    switch (node.state) {
      case NodeState::preparing:
      case NodeState::prepared:
        return exit_status_.has_value();
      case NodeState::starting:
        return false;
      case NodeState::running:
        return node.running == 0;
      case NodeState::failed:
      case NodeState::finished:
      case NodeState::lost:
        return true;
    }
    return true;
  });
}

bool Job::nodes_are_over() const {
  return std::ranges::all_of(status_, [](const NodeStatus& node) {
    // Nothing runs yet on a node that prepares, whose host may not even answer.
    return node.state == NodeState::finished || node.state == NodeState::lost || node.state == NodeState::preparing;
  });
}

// All ranks have ended. Ends the nodes, and writes the rest of the output, however slowly it is read, until the user
// interrupts or the timeout expires.
void Job::finish() {
  kill_.reset();
  desertion_.reset();
  last_look_.reset();
  next_look_ = Clock::time_point::max();
  give_up_ = Clock::now() + kGraceForFinish;
  order_all(Finish{});
  handle_events();
  output_.write_what_is_ready();
  while (!kill_ && !front_is_gone_ && !(nodes_are_over() && output_.is_idle())) {
    step();
    if (nodes_are_over()) give_up_.reset();
    if (give_up_ && Clock::now() >= *give_up_) break;
  }
  tell_lost_output();
}

// ---- Events of nodes

void Job::take_event(int node, const NodeEvent& event) {
  if (const auto* printed = std::get_if<Printed>(&event))
    handle(node, *printed);
  else if (const auto* ended = std::get_if<StreamEnded>(&event))
    handle(node, *ended);
  else
    events_.emplace_back(node, event);
}

void Job::handle_events() {
  while (!events_.empty()) {
    for (auto& [node, event] : std::exchange(events_, {})) {
      // What was on its way when a node was lost does not bring it back.
      if (status_[static_cast<std::size_t>(node)].state == NodeState::lost) continue;
      std::visit([this, number = node](auto& what) { handle(number, what); }, event);
    }
  }
}

void Job::handle(int node, Prepared& event) {
  NodeStatus& status = status_[static_cast<std::size_t>(node)];
  status = {.state = NodeState::prepared, .binding = std::move(event.binding), .broker = std::move(event.broker)};
  const auto is_prepared = [](const NodeStatus& other) { return other.state == NodeState::prepared; };
  if (exit_status_ || !std::ranges::all_of(status_, is_prepared)) return;
  if (options_.report_bindings) report_bindings();
  Start start;
  for (NodeStatus& other : status_) {
    start.brokers.push_back(other.broker);
    other.state = NodeState::starting;
  }
  order_all(start);
}

void Job::handle(int node, const Started& event) {
  NodeStatus& status = status_[static_cast<std::size_t>(node)];
  status.state = NodeState::running;
  status.running = static_cast<int>(event.pids.size());
  const std::vector<int> ranks = ranks_of(node);
  for (std::size_t i = 0; i < ranks.size(); ++i) pids_[static_cast<std::size_t>(ranks[i])] = event.pids[i];
  const auto is_starting = [](const NodeStatus& other) { return other.state == NodeState::starting; };
  if (options_.verbose && std::ranges::none_of(status_, is_starting)) tell_what_runs();
}

void Job::handle(int node, const Failed& event) {
  NodeStatus& status = status_[static_cast<std::size_t>(node)];
  if (status.state != NodeState::running) status.state = NodeState::failed;
  end_job({event.exit_status, prefix(node) + event.message});
}

void Job::handle(int /*node*/, const Printed& event) { output_.feed(event.rank, event.stream, event.bytes); }

void Job::handle(int /*node*/, const StreamEnded& event) { output_.finish(event.rank, event.stream); }

void Job::handle(int /*node*/, const Aborted& event) {
  end_job(judge_abort(event, event.rank < 0 ? "a rank" : name(event.rank)));
}

void Job::handle(int node, Ended& event) {
  status_[static_cast<std::size_t>(node)].running -= static_cast<int>(event.ranks.size());
  await_order_that_killed(event.ranks);
  note_late_failures(event);
  if (const std::optional<JobVerdict> verdict = judge(event.ranks, event.kills)) end_job(*verdict);
  for (const EndedRank& rank : event.ranks) {
    if (rank.state == bootstrap::RankState::starting && !absentee_) absentee_ = rank.rank;
    if (desertion_ ||
        (rank.state != bootstrap::RankState::initialized && rank.state != bootstrap::RankState::finalize_failed))
      continue;
    desertion_ = Clock::now() + kGraceForDeserters;
    deserter_ = rank;
  }
}

// A signal to a whole process group, such as that of Ctrl-C, reaches the ranks at the same time as mpiexec. So if a
// rank died of such a signal, waits a moment for the order of the front.
void Job::await_order_that_killed(const std::vector<EndedRank>& ended) {
  constexpr int kGraceForOrder_ms = 200;
  const auto could_be_ours = [](const EndedRank& rank) {
    const int number = WIFSIGNALED(rank.wait_status) ? WTERMSIG(rank.wait_status) : 0;
    return number == SIGINT || number == SIGQUIT || number == SIGHUP || number == SIGTERM;
  };
  if (exit_status_ || std::ranges::none_of(ended, could_be_ours)) return;
  pollfd order{.fd = context_.orders.fd(), .events = POLLIN, .revents = 0};
  poll(&order, 1, kGraceForOrder_ms);
  obey_front();
}

// No rank waits for a rank that fails after MPI_Finalize. The others may be printing their last lines, or about to
// fail in the same way, so they are not ended. Removes such ranks from the event.
void Job::note_late_failures(Ended& ended) {
  std::erase_if(ended.ranks, [&](const EndedRank& rank) {
    if (rank.state != bootstrap::RankState::finalized || rank.wait_status == 0) return false;
    if (!exit_status_ && !late_failure_) {
      const std::optional<JobVerdict> verdict = judge({rank}, ended.kills);
      late_failure_ = verdict->exit_status;
      say(verdict->message);
    }
    return true;
  });
}

std::optional<JobVerdict> Job::judge(const std::vector<EndedRank>& ended, const MemoryKills& kills) const {
  if (ended.empty()) return std::nullopt;
  std::optional<JobVerdict> verdict = judge_ends(ended, host_of(ended.front().rank), kills);
  // As in any pipeline, such as `mpiexec ... | head -1`, a closed reader is not reported as a failure.
  if (verdict && verdict->exit_status == kExitSignal + SIGPIPE && output_.reader_is_gone()) verdict->message.clear();
  return verdict;
}

void Job::handle(int node, const Seen& event) {
  if (looks_.add(node, event)) judge_look();
}

void Job::handle(int /*node*/, const InputTaken& event) {
  if (input_) input_->taken(event.bytes);
}

void Job::handle(int node, const Note& event) { say(prefix(node) + event.text); }

void Job::handle(int node, Finished& event) {
  NodeStatus& status = status_[static_cast<std::size_t>(node)];
  status.state = NodeState::finished;
  status.running = 0;
  status.counted = std::move(event.counted);
}

void Job::handle(int node, const Lost& event) {
  NodeStatus& status = status_[static_cast<std::size_t>(node)];
  if (status.state == NodeState::finished || status.state == NodeState::lost) return;
  status.state = NodeState::lost;
  for (const int rank : ranks_of(node))
    for (std::uint32_t stream = 0; stream < output_.streams(); ++stream) output_.finish(rank, stream);
  end_job({kExitFailure, event.message});
  if (looks_.remove(node)) judge_look();
}

// ---- Deadlines

void Job::check_deadlines() {
  const Clock::time_point now = Clock::now();
  if (kill_ && now >= *kill_ && !give_up_) {
    kill_.reset();
    order_all(SignalAll{SIGKILL});
  }
  if (exit_status_) return;
  if (last_look_ && now >= *last_look_) {
    end_after_timeout();
  } else if (timeout_ && now >= *timeout_) {
    timeout_.reset();
    last_look_ = now + kGraceForLastLook;
    look(true);
  } else if (desertion_ && now >= *desertion_ && !ranks_are_over()) {
    const bool tried = deserter_.state == bootstrap::RankState::finalize_failed;
    end_job({kExitFailure,
             fmt::format("{} exited {} while others go on", name(deserter_.rank),
                         tried ? "after its MPI_Finalize had returned an error" : "without calling MPI_Finalize")});
  } else if (now >= next_look_) {
    next_look_ = now + options_.settings.hang_look_every;
    if (options_.on_hang != OnHang::ignore && !looks_.is_under_way()) look(false);
  }
}

void Job::look(bool even_if_some_run) {
  std::vector<int> running;
  for (std::size_t node = 0; node < status_.size(); ++node)
    if (status_[node].state == NodeState::running) running.push_back(static_cast<int>(node));
  const Look order = looks_.begin(running, even_if_some_run);
  if (running.size() == status_.size())
    order_all(order);
  else
    for (const int node : running) nodes_->order(node, order);
  if (running.empty() && last_look_) end_after_timeout();
}

void Job::judge_look() {
  if (last_look_) return end_after_timeout();
  const JobView view = looks_.view();
  if (exit_status_ || !hang_.observe(view)) return;
  if (is_any_stopped(view)) {
    say("no progress until what is stopped goes on\n" + describe_waits(view));
    return;
  }
  if (absentee_) {
    end_job({kExitFailure, fmt::format("{} exited without calling MPI_Init, and the others wait\n{}",
                                       name(*absentee_), diagnose(view))});
    return;
  }
  const std::string report = "no progress: every rank waits inside MPI\n" + diagnose(view);
  if (options_.on_hang == OnHang::abort) {
    end_job({kExitHang, report + "\nending the job (--on-hang=abort)"});
  } else {
    say(report);
  }
}

void Job::end_after_timeout() {
  last_look_.reset();
  std::string message =
      fmt::format("the job did not end within {} s (--timeout): ending it", options_.timeout->count());
  const JobView view = looks_.view();
  const auto waits = [](const RankView& rank) { return rank.condition == RankView::Condition::asleep; };
  if (std::ranges::any_of(view.ranks, waits)) message += "\n" + diagnose(view);
  end_job({kExitTimeout, message});
}

// ---- What the user is told

void Job::report_bindings() {
  std::vector<std::string> lines(static_cast<std::size_t>(job_.ranks()));
  for (int node = 0; node < job_.nodes(); ++node) {
    const std::vector<int> ranks = ranks_of(node);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const std::vector<int>& cpus = status_[static_cast<std::size_t>(node)].binding[i];
      const std::string where = job_.nodes() == 1 ? "" : fmt::format(" of host {}", host_of(ranks[i]));
      lines[static_cast<std::size_t>(ranks[i])] =
          cpus.empty() ? fmt::format("rank {} is not bound", ranks[i])
                       : fmt::format("rank {} is bound to cpu {}{}", ranks[i], describe_cpus(cpus), where);
    }
  }
  tell(fmt::format("{}\n", fmt::join(lines, "\n")));
}

void Job::tell_what_runs() {
  std::vector<std::string> lines(static_cast<std::size_t>(job_.ranks()));
  for (int node = 0; node < job_.nodes(); ++node) {
    const std::vector<int> ranks = ranks_of(node);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const App& app = job_.apps[app_of(job_, ranks[i])];
      const std::vector<int>& cpus = status_[static_cast<std::size_t>(node)].binding[i];
      lines[static_cast<std::size_t>(ranks[i])] =
          fmt::format("{} runs {}{}{}", name(ranks[i]), joined(app.command),
                      app.working_directory.empty() ? "" : fmt::format(" in {}", app.working_directory),
                      cpus.empty() ? "" : fmt::format(" on cpu {}", describe_cpus(cpus)));
    }
  }
  say(fmt::format("{}\n", fmt::join(lines, "\n")));
}

void Job::tell_counters() {
  std::vector<RankCounters> counted(static_cast<std::size_t>(job_.ranks()));
  for (int node = 0; node < job_.nodes(); ++node) {
    const std::vector<int> ranks = ranks_of(node);
    const std::vector<RankCounters>& of_node = status_[static_cast<std::size_t>(node)].counted;
    for (std::size_t i = 0; i < std::min(ranks.size(), of_node.size()); ++i)
      counted[static_cast<std::size_t>(ranks[i])] = of_node[i];
  }
  const std::string text = describe_counters(counted);
  if (!text.empty()) tell(std::string_view{text});
}

// Input goes to rank 0, once it runs.
bool Job::has_input() const {
  return input_ && status_[static_cast<std::size_t>(job_.places.front().node)].state == NodeState::running;
}

void Job::pass_on_input() {
  if (!has_input()) return;
  if (const std::optional<std::string_view> bytes = input_->read(polls_))
    nodes_->order(job_.places.front().node, Input{*bytes});
}

// Tells the nodes which streams they should not read now, and which nobody reads any more.
void Job::balance_output() {
  for (std::uint32_t stream = 0; stream < output_.streams(); ++stream) {
    const bool hold = output_.is_full(stream);
    if (output_.is_closed(stream) && !closed_[stream]) {
      closed_[stream] = true;
      order_all(CloseOutput{stream});
    }
    if (hold == held_[stream]) continue;
    held_[stream] = hold;
    if (!hold) output_.resume(stream);
    order_all(HoldOutput{.stream = stream, .hold = hold});
  }
}

// Reports once that output was lost. The ranks continue.
void Job::tell_lost_output() {
  if (lost_output_told_ || !output_.failure()) return;
  lost_output_told_ = true;
  if (!late_failure_) late_failure_ = kExitFailure;
  say(*output_.failure());
}

// Prints a message after the output that the ranks have already written.
void Job::say(std::string_view text) {
  if (text.empty()) return;
  nodes_->catch_up();
  output_.write_what_is_ready();
  tell(text);
}

void Job::end_job(const JobVerdict& verdict) {
  if (exit_status_) return;
  exit_status_ = verdict.exit_status;
  say(verdict.message);
  kill_ = Clock::now() + options_.settings.kill_after;
  order_all(SignalAll{SIGTERM});
}

// ---- Names

const std::string& Job::host_of(int rank) const {
  return job_.node_names[static_cast<std::size_t>(job_.places[static_cast<std::size_t>(rank)].node)];
}

std::vector<int> Job::ranks_of(int node) const {
  std::vector<int> ranks;
  for (int rank = 0; rank < job_.ranks(); ++rank)
    if (job_.places[static_cast<std::size_t>(rank)].node == node) ranks.push_back(rank);
  return ranks;
}

std::string Job::name(int rank) const {
  return name_rank(rank, pids_[static_cast<std::size_t>(rank)], host_of(rank));
}

std::string Job::prefix(int node) const {
  return job_.nodes() == 1 ? "" : fmt::format("host {}: ", job_.node_names[static_cast<std::size_t>(node)]);
}

}  // namespace antiphon::launch
