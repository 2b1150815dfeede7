#include "hosts/branch.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "common/failure.hpp"
#include "hosts/advice.hpp"
#include "hosts/daemon_command.hpp"
#include "wire/archive.hpp"
#include "wire/greeting.hpp"

namespace antiphon::launch {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatienceForGreeting = 60s;
constexpr auto kPatienceForStatus = 1s;
// A name may be unknown for a while after a host was made, as in Kubernetes.
constexpr auto kPatienceForName = 10s;
constexpr auto kPauseBetweenTries = 1s;
constexpr std::size_t kMostSaid = 4 << 10;
constexpr std::size_t kMostBeforeGreeting = 64 << 10;

std::string describe_status(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

// Without control characters, each line on a line of its own.
std::string quote_lines(std::string_view text) {
  std::string quoted;
  bool at_start = true;
  for (const char c : text) {
    if (c == '\n') {
      at_start = true;
      continue;
    }
    if (static_cast<unsigned char>(c) < ' ' || c == 127) continue;
    if (at_start) quoted += "\n  ";
    at_start = false;
    quoted += c;
  }
  return quoted;
}

}  // namespace

Branch::Branch(BranchPlan plan) : plan_(std::move(plan)), give_up_(begun_ + kPatienceForGreeting) { start(); }

void Branch::start() {
  Child child = plan_.work ? start_copy(plan_.work) : start_command(plan_.command);
  child_pid_ = child.pid;
  connection_.emplace(std::move(child.from), std::move(child.to));
  errors_ = std::move(child.errors);
  state_ = State::greeting;
}

void Branch::send(int node, std::string_view bytes) {
  if (state_ == State::greeting)
    unsent_.emplace_back(node, bytes);
  else if (state_ == State::open)
    connection_->send(node, bytes);
}

void Branch::append_polls(std::vector<pollfd>& polls) const {
  if (loss_) return;
  connection_->append_polls(polls);
  if (errors_.get() >= 0) polls.push_back({.fd = errors_.get(), .events = POLLIN, .revents = 0});
}

void Branch::handle(std::span<const pollfd> polls, const OnFrame& on_frame) {
  if (loss_ || state_ == State::over) return;
  const Clock::time_point now = Clock::now();
  if (start_again_) {
    if (now < *start_again_) return;
    start_again_.reset();
    start();
  }
  read_errors();
  if (connection_->handle(polls)) pulse_.heard();
  try {
    if (state_ == State::greeting) await_greeting();
    if (state_ == State::open) take_frames(on_frame);
  } catch (const Malformed& wrong) {
    return lose(fmt::format("lost host {}: its daemon sent {}", plan_.host, wrong.what()));
  }
  if (state_ != State::ending && connection_->has_ended()) {
    state_ = State::ending;
    give_up_ = now + kPatienceForStatus;
  }
  if (state_ == State::ending) return see_end();
  if (state_ == State::greeting && now >= give_up_) {
    return lose(explain_end("did not get an answer within 60 s"));
  }
  if (state_ == State::open && pulse_.beat(now)) connection_->send(plan_.node, {});
  if (state_ == State::open && pulse_.is_lost())
    lose(fmt::format("lost host {}: it has not answered for {} s", plan_.host, Pulse::kMostMissed));
}

void Branch::keep_alive() {
  if (state_ == State::open && pulse_.beat(Clock::now())) connection_->send(plan_.node, {});
  pulse_.heard();  // whoever does not listen cannot miss anything
}

Branch::Clock::time_point Branch::next_deadline() const {
  if (start_again_) return *start_again_;
  switch (state_) {
    case State::open:
      return pulse_.next_beat();
    case State::ending:
      return Clock::now() + 10ms;
    default:
      return give_up_;
  }
}

void Branch::read_errors() {
  std::array<char, 4096> buffer;
  ssize_t length = 0;
  while (errors_.get() >= 0 && (length = read(errors_.get(), buffer.data(), buffer.size())) > 0) {
    said_.append(buffer.data(), static_cast<std::size_t>(length));
    if (said_.size() > kMostSaid) said_.erase(0, said_.size() - kMostSaid);
  }
  if (length == 0) errors_ = {};
}

// Shell start-up files on the host may print lines before the daemon's own.
void Branch::await_greeting() {
  while (const std::optional<std::string> line = connection_->next_line()) {
    const std::optional<Greeting> greeting = read_greeting(*line);
    if (!greeting) {
      said_ += *line + "\n";
      continue;
    }
    const Greeting mine = my_greeting();
    if (greeting->version != mine.version || greeting->build != mine.build)
      return lose(fmt::format(
          "host {} has another Antiphon at {}: version {} ({}), and this is version {} ({})\n"
          "install the same on all hosts, or name its folder there by --prefix",
          plan_.host, plan_.command.back(), greeting->version, greeting->build, mine.version, mine.build));
    state_ = State::open;
    was_greeted_ = true;
    for (const auto& [node, bytes] : std::exchange(unsent_, {})) connection_->send(node, bytes);
    return;
  }
  if (connection_->untaken().size() > kMostBeforeGreeting)
    lose(fmt::format("cannot start antiphon-node on host {}: '{}' prints something else than its greeting:{}",
                     plan_.host, shown(plan_.command), quote_lines(connection_->untaken().substr(0, 200))));
}

void Branch::take_frames(const OnFrame& on_frame) {
  while (const std::optional<Frame> frame = connection_->next_frame())
    if (!frame->bytes.empty()) on_frame(*frame);
}

// The connection has ended. The command should end soon, and say why.
void Branch::see_end() {
  int status = 0;
  const pid_t ended = waitpid(child_pid_, &status, WNOHANG);
  if (ended == 0 && Clock::now() < give_up_) return;
  read_errors();
  if (ended == child_pid_) child_pid_ = -1;
  if (!was_greeted_ && may_try_again()) {
    start_again_ = Clock::now() + kPauseBetweenTries;
    give_up_ = begun_ + kPatienceForGreeting;
    state_ = State::greeting;
    said_.clear();
    return;
  }
  if (was_greeted_) {
    std::string why = fmt::format("lost host {}: its connection has ended", plan_.host);
    if (!plan_.work && ended > 0) why += fmt::format(" ('{}' {})", shown(plan_.command), describe_status(status));
    return lose(why + (said_.empty() ? "" : "; it printed:" + quote_lines(said_)));
  }
  lose(explain_end(ended > 0 ? describe_status(status) : "closed the connection"));
}

bool Branch::may_try_again() const { return Clock::now() < begun_ + kPatienceForName && is_unknown_name(said_); }

std::string Branch::explain_end(const std::string& how) const {
  std::string text =
      fmt::format("cannot start antiphon-node on host {}: '{}' {}", plan_.host, shown(plan_.command), how);
  if (!said_.empty()) text += "; it printed:" + quote_lines(said_);
  if (const std::string advice = what_to_try(plan_.host, said_); !advice.empty()) text += "\n" + advice;
  return text;
}

void Branch::lose(std::string why) {
  loss_ = std::move(why);
  close();
  // It may be stopped, or wait for a host that does not answer.
  if (child_pid_ > 0) kill(child_pid_, SIGKILL);
}

// A command that has not reached its host need not end when the connection does.
void Branch::close() {
  if (state_ == State::greeting && child_pid_ > 0) kill(child_pid_, SIGTERM);
  state_ = State::over;
  connection_->close();
  errors_ = {};
}

}  // namespace antiphon::launch
