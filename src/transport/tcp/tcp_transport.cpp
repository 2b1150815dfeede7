#include "transport/tcp/tcp_transport.hpp"

#include <fmt/format.h>

#include <utility>

#include "abi/constants.hpp"
#include "base/error.hpp"

namespace antiphon::transport::tcp {

namespace {
// Looks in vain before polls begin to be skipped: about a hundred microseconds, several times as long as an answer
// takes on a fast network.
constexpr int kEagerLooks = 300;
// One look of so many is for all connections, the others only for the last that something came from: that saves a
// system call for each packet.
constexpr unsigned kLooksBetween = 4;
}  // namespace

class TcpTransport::Sender final : public Channel {
 public:
  Sender(TcpTransport& transport, Connection& connection) : transport_(transport), connection_(connection) {}

  SendStatus try_send(const PacketHeader& header, Payload payload) noexcept override {
    transport_.expect_something();
    return connection_.try_send(header, payload);
  }
  std::byte* reserve(std::size_t bytes) noexcept override { return connection_.reserve(bytes); }
  void commit(const PacketHeader& header, std::size_t bytes) noexcept override {
    transport_.expect_something();
    connection_.commit(header, bytes);
  }
  [[nodiscard]] const Capabilities& capabilities() const noexcept override { return transport_.options_.limits; }

 private:
  TcpTransport& transport_;
  Connection& connection_;
};

TcpTransport::TcpTransport(Sockets sockets, platform::EventSet& events, const Options& options)
    : sockets_(std::move(sockets)),
      events_(events),
      options_(options),
      common_(events, options.limits, options.scratch_bytes) {
  (void)events_.add(sockets_.descriptor, &sockets_);
}

TcpTransport::~TcpTransport() { events_.remove(sockets_.descriptor); }

std::unique_ptr<Channel> TcpTransport::connect(int process) {
  std::unique_ptr<Connection>& connection = connections_[process];
  if (!connection) {
    connection = std::make_unique<Connection>(process, common_);
    sockets_.ask(process);
  }
  return std::make_unique<Sender>(*this, *connection);
}

bool TcpTransport::try_poll(const Dispatcher&, bool* refused) {
  if (is_due()) *refused = true;
  return false;
}

void TcpTransport::say_goodbye() {
  take_sockets();
  for (const auto& [process, connection] : connections_) connection->say_goodbye();
  expect_something();
}

bool TcpTransport::look(const Dispatcher& dispatch) {
  ++common_.looks;
  for (Connection* one = std::exchange(common_.gathering, nullptr); one;) one = one->end_burst();
  const bool sent = std::exchange(common_.sent, false);
  if (sent && !std::exchange(is_watching_, true)) watch_again();
  const bool moved =
      favourite_ && ++looks_ % kLooksBetween != 0 ? look_at(*favourite_, dispatch) : look_at_all(dispatch);
  if (sent || moved || common_.blocked != 0)
    eager_looks_ = kEagerLooks;
  else if (eager_looks_ > 0)
    --eager_looks_;
  skip_.store(eager_looks_ > 0 ? 0 : options_.looks_skipped, std::memory_order_relaxed);
  return moved;
}

bool TcpTransport::look_at_all(const Dispatcher& dispatch) {
  events_.forget_news();
  bool moved = false;
  for (const auto& [owner, to_read, to_write] : events_.ready()) {
    if (owner == &sockets_) {
      take_sockets();
    } else if (owner == &grace_) {
      report_loss();
    } else if (owner == &watch_) {
      look_for_lost_hosts();
    } else {
      auto& connection = *static_cast<Connection*>(owner);
      if (to_write) moved |= connection.write_waiting();
      if (to_read) moved |= look_at(connection, dispatch);
    }
  }
  return moved;
}

bool TcpTransport::look_at(Connection& connection, const Dispatcher& dispatch) {
  const bool moved = connection.read(dispatch);
  using State = Connection::State;
  if (connection.state() == State::open) {
    if (moved) favourite_ = &connection;
    return moved;
  }
  favourite_ = nullptr;
  if (connection.state() == State::refused)
    base::fail(abi::ERR_OTHER, fmt::format("{} sent {}: the connection to it is closed",
                                           sockets_.name(connection.process()), connection.reason()));
  if (connection.state() == State::broken) lose(connection);
  return moved;
}

void TcpTransport::take_sockets() {
  while (std::optional<Sockets::Arrived> arrived = sockets_.next()) {
    if (!arrived->failure.empty())
      base::fail(abi::ERR_OTHER,
                 fmt::format("there is no connection to {}: {}", sockets_.name(arrived->process), arrived->failure));
    std::unique_ptr<Connection>& connection = connections_[arrived->process];
    if (!connection) connection = std::make_unique<Connection>(arrived->process, common_);
    if (connection->state() != Connection::State::asked)
      base::fail(abi::ERR_INTERN, fmt::format("there is a second connection to {}", sockets_.name(arrived->process)));
    connection->open(std::move(arrived->socket));
    if (connection->state() == Connection::State::broken) lose(*connection);
  }
}

void TcpTransport::lose(const Connection& connection) {
  if (!lost_.empty()) return;
  lost_ = fmt::format("the connection to {} broke: {}", sockets_.name(connection.process()), connection.reason());
  const auto grace = static_cast<std::uint64_t>(options_.grace.count());
  if (!grace_.set(grace) || !events_.add(grace_.descriptor(), &grace_)) report_loss();
}

// A host that is gone acknowledges nothing. The system would report that after a quarter of an hour.
void TcpTransport::look_for_lost_hosts() {
  bool under_way = false;
  for (const auto& [process, connection] : connections_) {
    const Connection::Line line = connection->line(options_.most_retries);
    under_way |= line == Connection::Line::under_way;
    if (line != Connection::Line::lost) continue;
    connection->give_up();
    if (connection->state() == Connection::State::broken) lose(*connection);
  }
  is_watching_ = under_way;
  if (under_way)
    watch_again();
  else
    watch_.silence();
}

void TcpTransport::watch_again() {
  const bool is_new = watch_.descriptor() < 0;
  if (watch_.set(static_cast<std::uint64_t>(options_.watch_period.count())) && is_new)
    (void)events_.add(watch_.descriptor(), &watch_);
}

void TcpTransport::report_loss() const { base::fail(abi::ERR_OTHER, lost_); }

}  // namespace antiphon::transport::tcp
