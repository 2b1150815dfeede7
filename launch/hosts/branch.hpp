// One daemon that this process has started, and all nodes that are reached through it. Starts the command, waits for
// the daemon's greeting, sends frames to it and takes those that it sends, keeps up the pulse, and says why it was
// lost. Never waits. Owned by Branches.
#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hosts/child.hpp"
#include "hosts/pulse.hpp"
#include "wire/connection.hpp"

namespace antiphon::launch {

struct BranchPlan {
  int node;
  std::string host;
  std::vector<std::string> command;  // for messages, too
  std::function<int()> work = {};    // what a copy of this process does instead
};

class Branch {
 public:
  using Clock = std::chrono::steady_clock;
  using OnFrame = std::function<void(const Frame&)>;

  // Throws Failure if no process can be started.
  explicit Branch(BranchPlan plan);

  [[nodiscard]] int node() const { return plan_.node; }
  [[nodiscard]] pid_t pid() const { return child_pid_; }
  void send(int node, std::string_view bytes);
  // Whether some of it waits for the daemon to read more, or to answer at all.
  [[nodiscard]] bool has_unsent() const { return !unsent_.empty() || connection_->unsent() != 0; }

  void append_polls(std::vector<pollfd>& polls) const;
  void handle(std::span<const pollfd> polls, const OnFrame& on_frame);
  // Tells the daemon that this process is alive, without listening to it.
  void keep_alive();
  [[nodiscard]] Clock::time_point next_deadline() const;

  // Why the daemon cannot be reached any more, in a sentence or a few lines for the user; nothing while it can. After
  // that the branch does nothing.
  [[nodiscard]] const std::optional<std::string>& loss() const { return loss_; }
  // Ends the connection, and with it the daemon.
  void close();

 private:
  enum class State { greeting, open, ending, over };

  void start();
  void read_errors();
  void await_greeting();
  void take_frames(const OnFrame& on_frame);
  void see_end();
  // Whether to start the command again, because the name of the host may be known later.
  [[nodiscard]] bool may_try_again() const;
  [[nodiscard]] std::string explain_end(const std::string& how) const;
  void lose(std::string why);

  BranchPlan plan_;
  State state_ = State::greeting;
  bool was_greeted_ = false;
  pid_t child_pid_ = -1;
  std::optional<Connection> connection_;
  platform::OwnedDescriptor errors_;
  std::string said_;                                 // the end of what the command printed to stderr
  std::vector<std::pair<int, std::string>> unsent_;  // before the greeting
  Pulse pulse_;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point give_up_;  // on the greeting, or on the exit status of a command whose connection has ended
  std::optional<Clock::time_point> start_again_;
  std::optional<std::string> loss_;
};

}  // namespace antiphon::launch
