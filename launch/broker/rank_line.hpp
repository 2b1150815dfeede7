// The broker's end of its conversation with a rank of this node (bootstrap/broker_protocol.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "bootstrap/broker_protocol.hpp"
#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::launch {

class RankLine {
 public:
  explicit RankLine(platform::OwnedDescriptor socket) : socket_(std::move(socket)) {}

  [[nodiscard]] int descriptor() const { return socket_.get(); }
  [[nodiscard]] std::uint32_t events() const;  // for epoll
  [[nodiscard]] bool is_over() const { return over_; }

  // Whether whoever connected is of this user, and said hello with this token; then *rank is who it says it is. To be
  // asked once, before everything else, when the socket is readable.
  [[nodiscard]] bool hears_hello(const std::array<std::byte, 16>& token, int* rank);
  // The process that the rank wants to be connected to; nothing if it wants none now.
  [[nodiscard]] std::optional<int> next_request();

  void connected(int process, platform::OwnedDescriptor connection);
  void failed(int process, const std::string& why);
  // Sends the answers that the socket takes.
  void send_answers();

 private:
  struct Answer {
    bootstrap::BrokerAnswer text;
    platform::OwnedDescriptor connection;
  };
  [[nodiscard]] bool send_one(const Answer& answer);

  platform::OwnedDescriptor socket_;
  std::deque<Answer> answers_;  // that have not been sent
  bool over_ = false;
};

}  // namespace antiphon::launch
