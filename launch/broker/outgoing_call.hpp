// A call to the broker of another node, for a rank of this node: tries the addresses of that node one after the
// other, proves that it belongs to the job, and has the other broker prove it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "broker/fixed_transfer.hpp"
#include "broker/handshake.hpp"
#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::launch {

class OutgoingCall {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State {
    calling,
    connected,  // take_descriptor() is a connection of the two processes
    crossed,    // the other broker calls, too, and its call goes on
    failed,     // failure() says why
  };

  // `addresses`: in the order in which to try them; at least one.
  OutgoingCall(const Secret& secret, const Hello& hello, std::vector<std::string> addresses, std::uint16_t port);
  OutgoingCall(const OutgoingCall&) = delete;
  OutgoingCall& operator=(const OutgoingCall&) = delete;

  // -1 while it waits for its next attempt.
  [[nodiscard]] int descriptor() const { return socket_.get(); }
  [[nodiscard]] std::uint32_t events() const;  // for epoll
  [[nodiscard]] Clock::time_point deadline() const { return deadline_; }
  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] const Hello& hello() const { return hello_; }
  [[nodiscard]] bool has_failed_once() const { return !failure_.empty(); }
  // The address of this attempt, or of the one that succeeded.
  [[nodiscard]] const std::string& address() const { return addresses_[which_]; }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] platform::OwnedDescriptor take_descriptor() { return std::move(socket_); }

  void advance();
  // Its deadline has passed.
  void expire();

 private:
  enum class Step { connect, hello, challenge, proof, verdict };

  void begin_attempt();
  enum class Again { may_help, is_useless };
  void end_attempt(const std::string& why, Again again = Again::may_help);
  void finish(Step step);
  [[nodiscard]] bool writes() const { return step_ == Step::connect || step_ == Step::hello || step_ == Step::proof; }

  const Secret& secret_;
  Hello hello_;  // with a new nonce in each attempt
  const std::vector<std::string> addresses_;
  const std::uint16_t port_;
  const Clock::time_point give_up_;
  std::size_t which_ = 0;
  platform::OwnedDescriptor socket_;
  Clock::time_point deadline_;
  State state_ = State::calling;
  Step step_ = Step::connect;
  FixedTransfer transfer_;
  HelloBytes hello_bytes_{};
  Challenge challenge_{};
  Proof proof_{};
  VerdictBytes verdict_{};
  bool worth_another_round_ = false;
  std::string failure_;
};

}  // namespace antiphon::launch
