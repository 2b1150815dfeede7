// A connection that somebody has opened to the port of this broker: a broker of the job, once it has proved that; a
// stranger otherwise. Whoever does not prove anything within a few seconds is dropped.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "broker/fixed_transfer.hpp"
#include "broker/handshake.hpp"
#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::launch {

class IncomingCall {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State {
    hearing,    // the caller has not proved anything yet
    proved,     // hello() is true, and decide() has to say what becomes of it
    answering,  // the verdict is on its way
    accepted,   // take_descriptor() is a connection of the two processes
    over,       // refused, crossed, or broken
    stranger,   // complaint() says what the caller did wrong
  };

  IncomingCall(platform::OwnedDescriptor socket, const Secret& secret, std::string from);
  IncomingCall(const IncomingCall&) = delete;
  IncomingCall& operator=(const IncomingCall&) = delete;

  [[nodiscard]] int descriptor() const { return socket_.get(); }
  [[nodiscard]] std::uint32_t events() const;  // for epoll
  [[nodiscard]] Clock::time_point deadline() const { return deadline_; }
  [[nodiscard]] State state() const { return state_; }
  // Whether that was the verdict, even if it did not arrive.
  [[nodiscard]] bool was_accepted() const { return accepted_; }
  [[nodiscard]] const Hello& hello() const { return hello_; }
  [[nodiscard]] const std::string& from() const { return from_; }  // the address of the caller
  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  [[nodiscard]] platform::OwnedDescriptor take_descriptor() { return std::move(socket_); }

  // Reads and writes as much as the socket allows.
  void advance();
  void decide(const Verdict& verdict);
  // Its deadline has passed.
  void expire();

 private:
  enum class Step { hello, challenge, proof, verdict };

  void finish(Step step);
  void blame(std::string complaint);

  platform::OwnedDescriptor socket_;
  const Secret& secret_;
  std::string from_;
  Clock::time_point deadline_;
  State state_ = State::hearing;
  Step step_ = Step::hello;
  FixedTransfer transfer_;
  HelloBytes hello_bytes_{};
  Hello hello_{};
  Nonce nonce_;
  Challenge challenge_{};
  Proof proof_{};
  VerdictBytes verdict_{};
  bool accepted_ = false;
  std::string complaint_;
};

}  // namespace antiphon::launch
