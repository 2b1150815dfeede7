#include "mpiexec/job.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "common/failure.hpp"
#include "mpiexec/counters.hpp"
#include "mpiexec/host.hpp"
#include "node/processes.hpp"
#include "node/snapshot.hpp"
#include "node/start_ranks.hpp"
#include "platform/linux/available_memory.hpp"

namespace antiphon::launch {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookEvery = 1s;  // how often to check what no event reports, such as MPI_Abort
constexpr auto kGraceForDeserters = 1s;

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

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

void report_bindings(const Binding& binding) {
  std::string text;
  for (std::size_t rank = 0; rank < binding.size(); ++rank) {
    text += binding[rank].empty() ? fmt::format("rank {} is not bound\n", rank)
                                  : fmt::format("rank {} is bound to cpu {}\n", rank, describe_cpus(binding[rank]));
  }
  tell(std::string_view{text});
}

}  // namespace

Job::Job(const JobOptions& options, const SupervisorContext& context)
    : options_(options),
      context_(context),
      host_(host_name()),
      plan_(options),
      segment_(bootstrap::NodeSegment::create({.size = static_cast<std::uint32_t>(options.ranks()),
                                               .apps = static_cast<std::uint32_t>(options.apps.size()),
                                               .usable_cpus = static_cast<std::uint32_t>(plan_.usable_cpus),
                                               .settings = options.settings},
                                              bootstrap::MapExtent::header_and_slots)),
      output_(options.ranks(), options.label_output ? Labels::rank : Labels::none),
      memory_kills_before_(platform::memory_kills()),
      child_events_(open_child_events()),
      hang_(options.settings.hang_looks),
      next_look_(Clock::now() + options.settings.hang_look_every) {
  if (options_.timeout) timeout_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*options_.timeout);
}

// Kills every process of the job, even if an exception ended its start.
Job::~Job() {
  kill_all_descendants();
  close(child_events_);
}

int Job::run() {
  start();
  while (ranks_.any_running() && !front_is_gone_) {
    wait_for_event();
    obey_orders();
    read_start_failures();
    check_abort();
    reap_ranks();
    check_deadlines();
  }
  kill_all_descendants();
  pass_on_rest();
  if (options_.settings.counters == settings::Counters::on) tell_counters();
  return exit_status_.value_or(late_failure_.value_or(0));
}

void Job::start() {
  if (options_.report_bindings) report_bindings(plan_.binding);
  start_ranks({.options = options_,
               .plan = plan_,
               .segment = segment_,
               .output = output_,
               .signal_mask = context_.original_mask},
              reports_, ranks_);
  if (options_.verbose) tell_what_runs();
}

void Job::tell_what_runs() {
  std::string text;
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    const App& app = options_.apps[static_cast<std::size_t>(slot(rank).appnum)];
    const std::vector<int>& cpus = plan_.binding[static_cast<std::size_t>(rank)];
    text += fmt::format("{} runs {}{}{}\n", name(rank), joined(app.command),
                        app.working_directory.empty() ? "" : fmt::format(" in {}", app.working_directory),
                        cpus.empty() ? "" : fmt::format(" on cpu {}", describe_cpus(cpus)));
  }
  say(text);
}

void Job::wait_for_event() {
  polls_.clear();
  polls_.push_back({.fd = child_events_, .events = POLLIN, .revents = 0});
  polls_.push_back({.fd = context_.orders.fd(), .events = POLLIN, .revents = 0});
  if (!reports_.finished()) polls_.push_back({.fd = reports_.reading_end(), .events = POLLIN, .revents = 0});
  output_.append_polls(polls_);
  const auto pause = std::chrono::ceil<std::chrono::milliseconds>(next_deadline() - Clock::now());
  const auto longest = std::chrono::milliseconds(kLookEvery);
  poll(polls_.data(), polls_.size(), static_cast<int>(std::clamp(pause, 0ms, longest).count()));
  discard_child_events(child_events_);
  output_.handle(polls_);
  tell_lost_output();
}

Job::Clock::time_point Job::next_deadline() const {
  Clock::time_point next = exit_status_ ? kill_.value_or(Clock::now() + kLookEvery) : next_look_;
  const auto consider = [&next](const std::optional<Clock::time_point>& deadline) {
    if (deadline) next = std::min(next, *deadline);
  };
  consider(output_.next_deadline());
  if (exit_status_) return next;
  consider(timeout_);
  consider(desertion_);
  return next;
}

void Job::obey_orders() {
  while (const int order = context_.orders.next()) {
    if (order == Orders::kFrontIsGone) {
      front_is_gone_ = true;
      exit_status_ = kExitFailure;
      return;
    }
    if (order == SIGUSR1 || order == SIGUSR2) {
      ranks_.signal_running(order);
    } else if (exit_status_) {
      kill_ = Clock::now();  // the second request kills at once
    } else {
      end_job(
          {kExitSignal + order, fmt::format("stopped by signal {} ({}): ending the job", order, strsignal(order))});
    }
  }
}

void Job::read_start_failures() {
  if (reports_.finished()) return;
  while (const std::optional<StartFailure> failure = reports_.next()) {
    const std::string_view step(failure->step, strnlen(failure->step, sizeof failure->step));
    const auto app = static_cast<std::size_t>(segment_.slot(static_cast<std::uint32_t>(failure->rank)).appnum);
    // The program existed before, so ENOENT from exec means that its interpreter or loader is missing.
    const bool no_loader = failure->error == ENOENT && step == "exec";
    end_job({failure->error == ENOENT ? kExitNotFound : kExitNotExecutable,
             fmt::format("rank {} cannot start '{}': {}: {}{}", failure->rank, plan_.programs[app], step,
                         std::strerror(failure->error),
                         no_loader ? " (the interpreter or loader that its first line or header names)" : "")});
  }
}

void Job::check_abort() {
  const bootstrap::Header& header = segment_.header();
  if (exit_status_ || header.abort_state.load(std::memory_order_acquire) != 2) return;
  const bool plausible = header.abort_rank >= 0 && header.abort_rank < ranks_.size();
  end_job(judge_abort(header, plausible ? name(header.abort_rank) : "a rank"));
}

void Job::reap_ranks() {
  std::vector<EndedRank> ended = ranks_.reap();
  check_abort();  // first, so that MPI_Abort is reported as such and not as a failed rank
  await_order_that_killed(ended);
  note_late_failures(ended);
  if (const std::optional<Verdict> verdict = judge(ended)) end_job(*verdict);
  for (const EndedRank& rank : ended) {
    const bootstrap::RankState state = slot(rank.rank_on_node).state.load();
    if (state == bootstrap::RankState::starting && !absentee_) absentee_ = rank.rank_on_node;
    if (desertion_ || (state != bootstrap::RankState::initialized && state != bootstrap::RankState::finalize_failed))
      continue;
    desertion_ = Clock::now() + kGraceForDeserters;
    deserter_ = rank.rank_on_node;
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
  if (exit_status_ || std::none_of(ended.begin(), ended.end(), could_be_ours)) return;
  pollfd order{.fd = context_.orders.fd(), .events = POLLIN, .revents = 0};
  poll(&order, 1, kGraceForOrder_ms);
  obey_orders();
}

// No rank waits for a rank that fails after MPI_Finalize. The others may be printing their last lines, or about to
// fail in the same way, so they are not ended. Removes such ranks from `ended`.
void Job::note_late_failures(std::vector<EndedRank>& ended) {
  std::erase_if(ended, [&](const EndedRank& rank) {
    const auto state = slot(rank.rank_on_node).state.load(std::memory_order_acquire);
    if (state != bootstrap::RankState::finalized || rank.wait_status == 0) return false;
    if (!exit_status_ && !late_failure_) {
      const std::optional<Verdict> verdict = judge({rank});
      late_failure_ = verdict->exit_status;
      say(verdict->message);
    }
    return true;
  });
}

void Job::check_deadlines() {
  const Clock::time_point now = Clock::now();
  if (kill_ && now >= *kill_) {
    kill_.reset();
    signal_descendants(SIGKILL);
  }
  if (exit_status_ || !ranks_.any_running()) return;
  if (desertion_ && now >= *desertion_) {
    const bool tried = slot(deserter_).state.load() == bootstrap::RankState::finalize_failed;
    end_job({kExitFailure,
             fmt::format("{} exited {} while others go on", name(deserter_),
                         tried ? "after its MPI_Finalize had returned an error" : "without calling MPI_Finalize")});
  } else if (timeout_ && now >= *timeout_) {
    end_after_timeout();
  } else if (now >= next_look_) {
    next_look_ = now + options_.settings.hang_look_every;
    if (options_.on_hang != OnHang::ignore) look_for_hang();
  }
}

void Job::look_for_hang() {
  const JobView view = take_snapshot(segment_, ranks_.exited());
  if (!hang_.observe(view)) return;
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
  std::string message =
      fmt::format("the job did not end within {} s (--timeout): ending it", options_.timeout->count());
  JobView view = take_snapshot(segment_, ranks_.exited());
  mark_stopped(view);
  const auto waits = [](const RankView& rank) { return rank.condition == RankView::Condition::asleep; };
  if (std::any_of(view.ranks.begin(), view.ranks.end(), waits)) message += "\n" + diagnose(view);
  end_job({kExitTimeout, message});
}

// Reports once that output was lost. The ranks continue.
void Job::tell_lost_output() {
  if (lost_output_told_ || !output_.failure()) return;
  lost_output_told_ = true;
  if (!late_failure_) late_failure_ = kExitFailure;
  say(*output_.failure());
}

// All processes have ended. Writes the rest of their output, however slowly it is read, until the user interrupts or
// the timeout expires.
void Job::pass_on_rest() {
  output_.end_sources();
  kill_.reset();
  desertion_.reset();
  next_look_ = Clock::time_point::max();
  while (!kill_ && !front_is_gone_ && !output_.is_idle()) {
    wait_for_event();
    obey_orders();
    read_start_failures();
    if (timeout_ && !exit_status_ && Clock::now() >= *timeout_) end_after_timeout();
  }
  tell_lost_output();
}

// Prints a message after the output that the ranks have already written.
void Job::say(std::string_view text) {
  if (text.empty()) return;
  output_.catch_up();
  tell(text);
}

void Job::tell_counters() {
  std::vector<RankCounters> counted;
  for (std::uint32_t rank = 0; rank < segment_.size(); ++rank) counted.push_back(segment_.slot(rank).counted);
  const std::string text = describe_counters(counted);
  if (!text.empty()) tell(std::string_view{text});
}

// Reads the number of memory kills only if a rank was killed by SIGKILL, because that takes a while.
std::optional<Verdict> Job::judge(const std::vector<EndedRank>& ended) const {
  const auto was_killed = [](const EndedRank& rank) {
    return WIFSIGNALED(rank.wait_status) && WTERMSIG(rank.wait_status) == SIGKILL;
  };
  if (std::any_of(ended.begin(), ended.end(), was_killed))
    return judge_ends(ended, host_, {.before = memory_kills_before_, .now = platform::memory_kills()});
  std::optional<Verdict> verdict = judge_ends(ended, host_);
  // As in any pipeline, such as `mpiexec ... | head -1`, a closed reader is not reported as a failure.
  if (verdict && verdict->exit_status == kExitSignal + SIGPIPE && output_.reader_is_gone()) verdict->message.clear();
  return verdict;
}

std::string Job::name(int rank_on_node) const {
  return name_rank(ranks_.world_rank(rank_on_node), ranks_.pid(rank_on_node), host_);
}

void Job::end_job(const Verdict& verdict) {
  if (exit_status_) return;
  exit_status_ = verdict.exit_status;
  say(verdict.message);
  kill_ = Clock::now() + options_.settings.kill_after;
  signal_descendants(SIGTERM);
}

}  // namespace antiphon::launch
