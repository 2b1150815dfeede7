#include "daemon/router.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <variant>

#include "common/failure.hpp"
#include "daemon/worker.hpp"
#include "hosts/branches.hpp"
#include "hosts/pulse.hpp"
#include "node/nodes.hpp"
#include "node/processes.hpp"
#include "wire/connection.hpp"
#include "wire/greeting.hpp"
#include "wire/messages.hpp"

namespace antiphon::launch {
namespace {

using namespace std::chrono_literals;
using Clock = Nodes::Clock;

// The signals that ask the daemon to end, as a descriptor.
platform::OwnedDescriptor open_requests_to_end(sigset_t* original_mask) {
  sigset_t ends, blocked;
  sigemptyset(&ends);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&ends, number);
  blocked = ends;
  for (const int number : {SIGCHLD, SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2}) sigaddset(&blocked, number);
  sigprocmask(SIG_BLOCK, &blocked, original_mask);
  signal(SIGCHLD, SIG_DFL);
  return platform::OwnedDescriptor(signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK));
}

class Router {
 public:
  Router()
      : requests_to_end_(open_requests_to_end(&original_mask_)),
        up_(platform::OwnedDescriptor(STDIN_FILENO), platform::OwnedDescriptor(STDOUT_FILENO)) {
    up_.send_line(to_line(my_greeting()));
  }

  void run() {
    while (!up_.has_ended() && !pulse_.is_lost()) {
      wait_for_event();
      if (polls_.front().revents != 0) return;
      if (up_.handle(polls_)) pulse_.heard();
      while (const std::optional<Frame> frame = up_.next_frame()) {
        is_pause(frame->bytes) ? pulse_.pause() : pulse_.heard();
        if (!frame->bytes.empty()) pass_down(*frame);
      }
      if (branches_) is_full() ? branches_->keep_alive() : branches_->handle(polls_);
      if (pulse_.beat(Clock::now())) up_.send(0, {});
    }
  }

 private:
  // If so much waits to be sent upwards, nothing is read from below.
  [[nodiscard]] bool is_full() const { return up_.is_full(); }

  void wait_for_event() {
    polls_.clear();
    polls_.push_back({.fd = requests_to_end_.get(), .events = POLLIN, .revents = 0});
    up_.append_polls(polls_);
    Clock::time_point next = pulse_.next_beat();
    if (branches_ && !is_full()) {
      branches_->append_polls(polls_);
      next = std::min(next, branches_->next_deadline());
    }
    const auto pause = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
    poll(polls_.data(), polls_.size(), static_cast<int>(std::clamp<decltype(pause)>(pause, 0ms, 1s).count()));
  }

  void pass_down(const Frame& frame) {
    if (branches_) return branches_->send(frame.node, frame.bytes);
    const NodeOrder order = decode_order(frame.bytes);
    const auto* first = std::get_if<Prepare>(&order);
    if (first == nullptr || frame.node < 0 || frame.node >= first->job.nodes())
      throw Malformed("something else than the description of the job");
    branches_ = std::make_unique<Branches>(
        first->job, frame.node, [this, daemon = getpid()] { return run_worker(original_mask_, daemon); },
        [this](int node, std::string_view event) { up_.send(node, event); });
    branches_->send_first(frame.bytes);
  }

  sigset_t original_mask_{};
  platform::OwnedDescriptor requests_to_end_;
  Connection up_;
  Pulse pulse_;
  std::unique_ptr<Branches> branches_;
  std::vector<pollfd> polls_;
};

}  // namespace

int run_router() {
  adopt_orphans();
  int exit_status = 0;
  try {
    Router().run();
  } catch (const std::exception& error) {
    tell("{}", error.what());
    exit_status = kExitFailure;
  }
  kill_all_descendants();
  return exit_status;
}

}  // namespace antiphon::launch
