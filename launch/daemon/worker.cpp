#include "daemon/worker.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <variant>

#include "common/failure.hpp"
#include "daemon/open_broker.hpp"
#include "daemon/take_over.hpp"
#include "hosts/pulse.hpp"
#include "node/node_here.hpp"
#include "node/processes.hpp"
#include "wire/connection.hpp"
#include "wire/greeting.hpp"
#include "wire/messages.hpp"

namespace antiphon::launch {
namespace {

using namespace std::chrono_literals;
using Clock = Nodes::Clock;

// A daemon that has stopped is missed on both sides. Whoever has started it comes first, and tells the user.
constexpr int kMostMissed = Pulse::kMostMissed + 2;

class Worker {
 public:
  Worker(const sigset_t& signal_mask, pid_t daemon)
      : daemon_(daemon),
        up_(platform::OwnedDescriptor(STDIN_FILENO), platform::OwnedDescriptor(STDOUT_FILENO)),
        nodes_({.signal_mask = signal_mask, .has_input = false, .open_broker = open_broker},
               [this](int node, const NodeEvent& event) { up_.send(node, encode(event)); }) {
    up_.send_line(to_line(my_greeting()));
  }

  void run() {
    while (!up_.has_ended() && !pulse_.is_lost()) {
      wait_for_event();
      if (up_.handle(polls_)) pulse_.heard();
      while (const std::optional<Frame> frame = up_.next_frame())
        if (!frame->bytes.empty()) obey(frame->node, decode_order(frame->bytes));
      nodes_.handle(polls_);
      nodes_.hold_output(up_.is_full());  // what the ranks print is not read for now
      if (pulse_.beat(Clock::now())) up_.send(0, {});
    }
    // If the daemon lives, it is stopped, and mpiexec, on another machine, cannot end it.
    if (!up_.has_ended() && getppid() == daemon_) kill(daemon_, SIGKILL);
  }

 private:
  void wait_for_event() {
    polls_.clear();
    up_.append_polls(polls_);
    nodes_.append_polls(polls_);
    const auto next = std::min(pulse_.next_beat(), nodes_.next_deadline().value_or(Clock::time_point::max()));
    const auto pause = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
    poll(polls_.data(), polls_.size(), static_cast<int>(std::clamp<decltype(pause)>(pause, 0ms, 1s).count()));
  }

  void obey(int node, const NodeOrder& order) {
    if (const auto* first = std::get_if<Prepare>(&order)) {
      JobDescription job = first->job;
      try {
        take_over(job);
      } catch (const Failure& failure) {
        up_.send(node, encode(NodeEvent{Failed{.exit_status = failure.exit_status, .message = failure.message}}));
        return;
      }
      nodes_.order(node, Prepare{std::move(job)});
    } else {
      nodes_.order(node, order);
    }
  }

  const pid_t daemon_;
  Connection up_;
  NodeHere nodes_;
  Pulse pulse_{kMostMissed};
  std::vector<pollfd> polls_;
};

}  // namespace

int run_worker(const sigset_t& signal_mask_of_ranks, pid_t daemon) {
  prctl(PR_SET_NAME, "antiphon-ranks");
  adopt_orphans();
  try {
    Worker(signal_mask_of_ranks, daemon).run();
  } catch (const std::exception& error) {
    tell("{}", error.what());
    kill_all_descendants();
    return kExitFailure;
  }
  return 0;
}

}  // namespace antiphon::launch
