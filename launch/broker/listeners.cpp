#include "broker/listeners.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "bootstrap/local_socket.hpp"

namespace antiphon::launch {
namespace {

constexpr int kBacklog = 1024;

[[noreturn]] void fail(const std::string& what) {
  base::fail(bootstrap::kErrOther, fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

template <class Address>
bool binds_to(int socket, const Address& address) {
  return bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
         listen(socket, kBacklog) == 0;
}

platform::OwnedDescriptor stream_of(int family) {
  return platform::OwnedDescriptor(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

// None, and errno, if the port is not free.
platform::OwnedDescriptor listening_on(std::uint16_t port) {
  if (platform::OwnedDescriptor both = stream_of(AF_INET6); both.get() >= 0) {
    const int no = 0;
    setsockopt(both.get(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    if (binds_to(both.get(), address)) return both;
    if (errno == EADDRINUSE || errno == EACCES) return {};
  }
  platform::OwnedDescriptor four = stream_of(AF_INET);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (four.get() < 0 || !binds_to(four.get(), address)) return {};
  return four;
}

std::uint16_t port_of(int socket) {
  sockaddr_storage address{};
  socklen_t bytes = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &bytes);
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

std::string text_of(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = &reinterpret_cast<const sockaddr_in&>(address).sin_addr;
  if (address.ss_family == AF_INET6) bytes = &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  return inet_ntop(address.ss_family, bytes, text.data(), text.size()) != nullptr ? text.data()
                                                                                  : "an unknown address";
}

}  // namespace

PortListener listen_on_port(std::uint16_t first, std::uint16_t last) {
  for (int port = first; port <= last; ++port) {
    platform::OwnedDescriptor socket = listening_on(static_cast<std::uint16_t>(port));
    if (socket.get() < 0) continue;
    const std::uint16_t found = port_of(socket.get());
    return {std::move(socket), found};
  }
  fail(first == 0 ? "listen on any port"
                  : fmt::format("listen on a port from {} to {} (is each of them in use?)", first, last));
}

NameListener listen_on_name() {
  bootstrap::LocalListener listener = bootstrap::listen_locally();
  if (listener.socket.get() < 0 || fcntl(listener.socket.get(), F_SETFL, O_NONBLOCK) != 0)
    fail("listen for the ranks of this node");
  return {std::move(listener.socket), listener.address};
}

platform::OwnedDescriptor accept_one(int listener, std::string* from) {
  sockaddr_storage address{};
  socklen_t bytes = sizeof address;
  platform::OwnedDescriptor socket(
      accept4(listener, reinterpret_cast<sockaddr*>(&address), &bytes, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket.get() >= 0 && from != nullptr) *from = text_of(address);
  return socket;
}

}  // namespace antiphon::launch
