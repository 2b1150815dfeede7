#include "bootstrap/broker_client.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "bootstrap/broker_protocol.hpp"
#include "bootstrap/error_class.hpp"

namespace antiphon::bootstrap {
namespace {

[[noreturn]] void fail(const char* what) {
  base::fail(kErrOther,
             fmt::format("cannot {} the connection broker of this node, a part of mpiexec, which connects this "
                         "process to those of other nodes: {}",
                         what, std::strerror(errno)));
}

platform::OwnedDescriptor connected_to(const BrokerAddress& address) {
  sockaddr_un broker{.sun_family = AF_UNIX, .sun_path = {}};
  std::memcpy(broker.sun_path + 1, address.name, address.name_bytes);  // a leading zero: the abstract name space
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + address.name_bytes);
  platform::OwnedDescriptor descriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (descriptor.get() < 0) fail("make a socket to");
  if (connect(descriptor.get(), reinterpret_cast<const sockaddr*>(&broker), bytes) != 0) fail("reach");
  return descriptor;
}

// The descriptor that came with a message, if one did.
platform::OwnedDescriptor descriptor_of(msghdr& message) {
  int descriptor = -1;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part))
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS)
      std::memcpy(&descriptor, CMSG_DATA(part), sizeof descriptor);
  return platform::OwnedDescriptor(descriptor);
}

}  // namespace

BrokerClient::BrokerClient(const BrokerAddress& address, int rank) : socket_(connected_to(address)) {
  const BrokerHello hello{.token = address.token, .rank = rank};
  if (send(descriptor(), &hello, sizeof hello, MSG_NOSIGNAL) < 0) fail("talk to");
}

void BrokerClient::ask(int process) {
  const BrokerRequest request{.process = process};
  if (send(descriptor(), &request, sizeof request, MSG_NOSIGNAL) < 0) fail("talk to");
}

std::optional<BrokerClient::Connection> BrokerClient::next() {
  BrokerAnswer answer;
  iovec text{.iov_base = &answer, .iov_len = sizeof answer};
  alignas(cmsghdr) std::byte control[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t bytes = recvmsg(descriptor(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  if (bytes <= 0) {
    if (bytes == 0) errno = EPIPE;
    fail("hear");
  }
  if (bytes != ssize_t{sizeof answer}) {
    errno = EPROTO;
    fail("understand");
  }
  Connection connection{.process = answer.process, .socket = descriptor_of(message)};
  if (answer.kind == BrokerAnswer::Kind::failed)
    connection.failure.assign(answer.failure, strnlen(answer.failure, sizeof answer.failure));
  return connection;
}

}  // namespace antiphon::bootstrap
