#include "bootstrap/broker_client.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "bootstrap/broker_protocol.hpp"
#include "bootstrap/error_class.hpp"
#include "bootstrap/local_socket.hpp"

namespace antiphon::bootstrap {
namespace {

[[noreturn]] void fail(const char* what) {
  base::fail(
      kErrOther,
      fmt::format("cannot {} the connection broker of this node, which connects this process to those of other "
                  "nodes: {}",
                  what, std::strerror(errno)));
}

platform::OwnedDescriptor connected_to(const LocalAddress& address) {
  platform::OwnedDescriptor descriptor = connect_locally(address);
  if (descriptor.get() < 0) fail("reach");
  return descriptor;
}

}  // namespace

BrokerClient::BrokerClient(const LocalAddress& address, int rank) : socket_(connected_to(address)) {
  const BrokerHello hello{.token = address.token, .rank = rank};
  if (send(descriptor(), &hello, sizeof hello, MSG_NOSIGNAL) < 0) fail("talk to");
}

void BrokerClient::ask(int process) {
  const BrokerRequest request{.process = process};
  if (send(descriptor(), &request, sizeof request, MSG_NOSIGNAL) < 0) fail("talk to");
}

std::optional<BrokerClient::Connection> BrokerClient::next() {
  BrokerAnswer answer;
  std::vector<platform::OwnedDescriptor> descriptors;
  const long bytes =
      receive_message(descriptor(), std::as_writable_bytes(std::span(&answer, 1)), MSG_DONTWAIT, descriptors);
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  if (bytes <= 0) {
    if (bytes == 0) errno = EPIPE;
    fail("hear");
  }
  if (bytes != long{sizeof answer}) {
    errno = EPROTO;
    fail("understand");
  }
  Connection connection{.process = answer.process};
  if (!descriptors.empty()) connection.socket = std::move(descriptors.front());
  if (answer.kind == BrokerAnswer::Kind::failed)
    connection.failure.assign(answer.failure, strnlen(answer.failure, sizeof answer.failure));
  return connection;
}

}  // namespace antiphon::bootstrap
