// TCP transports over pairs of connected sockets of this process. The first one to ask for a connection gets one end;
// the other end comes to the other transport by itself, as from a broker.
#pragma once

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "ends.hpp"
#include "platform/linux/event_set.hpp"
#include "transport/tcp/tcp_transport.hpp"

namespace antiphon::contract {

using platform::OwnedDescriptor;

inline std::pair<OwnedDescriptor, OwnedDescriptor> connected_pair(int buffer_bytes = 0) {
  std::array<int, 2> pair{};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair.data()), 0);
  if (buffer_bytes != 0)
    for (const int socket : pair) setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof buffer_bytes);
  return {OwnedDescriptor(pair[0]), OwnedDescriptor(pair[1])};
}

// Where one transport's sockets come from.
class Desk {
 public:
  // `ask` is told for which process a socket is wanted.
  explicit Desk(std::function<void(int process)> ask) : ask_(std::move(ask)) {}

  [[nodiscard]] transport::tcp::Sockets sockets() {
    return {.ask = ask_,
            .next = [this] { return next(); },
            .descriptor = bell_.get(),
            .name = [](int process) { return "rank " + std::to_string(process) + " on its host"; }};
  }
  void bring(transport::tcp::Sockets::Arrived arrived) {
    arrived_.push_back(std::move(arrived));
    eventfd_write(bell_.get(), 1);
  }

 private:
  std::optional<transport::tcp::Sockets::Arrived> next() {
    eventfd_t rings = 0;
    eventfd_read(bell_.get(), &rings);
    if (arrived_.empty()) return std::nullopt;
    transport::tcp::Sockets::Arrived first = std::move(arrived_.front());
    arrived_.pop_front();
    if (!arrived_.empty()) eventfd_write(bell_.get(), 1);
    return first;
  }

  std::function<void(int)> ask_;
  std::deque<transport::tcp::Sockets::Arrived> arrived_;
  OwnedDescriptor bell_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
};

struct TcpSetup {
  transport::tcp::Options options = {};
  int buffer_bytes = 0;  // of the sockets; 0: the system's default
  int delay = 0;         // looks at the desk before a socket comes
};

class TcpEnds : public Ends {
 public:
  explicit TcpEnds(const TcpSetup& setup = {}) : setup_(setup) {}
  transport::Transport& end(int which) override { return *ends_[static_cast<std::size_t>(which)]; }

  void pass_time() override {
    if (delay_ > 0 && --delay_ == 0) bring();
  }

 private:
  void connect() {
    if (std::exchange(is_asked_, true)) return;
    delay_ = setup_.delay;
    if (delay_ == 0) bring();
  }
  void bring() {
    auto [one, other] = connected_pair(setup_.buffer_bytes);
    desks_[0].bring({.process = 1, .socket = std::move(one)});
    desks_[1].bring({.process = 0, .socket = std::move(other)});
  }

  TcpSetup setup_;
  bool is_asked_ = false;
  int delay_ = 0;
  std::array<Desk, 2> desks_{Desk([this](int) { connect(); }), Desk([this](int) { connect(); })};
  std::array<platform::EventSet, 2> events_;
  std::array<std::unique_ptr<transport::Transport>, 2> ends_{
      std::make_unique<transport::tcp::TcpTransport>(desks_[0].sockets(), events_[0], setup_.options),
      std::make_unique<transport::tcp::TcpTransport>(desks_[1].sockets(), events_[1], setup_.options)};
};

}  // namespace antiphon::contract
