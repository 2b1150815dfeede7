#include "bootstrap/local_socket.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"

namespace antiphon::bootstrap {
namespace {

constexpr int kBacklog = 4096;
constexpr std::size_t kMostDescriptors = 4;
// The zero before a name makes it abstract.
constexpr std::size_t kBeforeName = offsetof(sockaddr_un, sun_path) + 1;

platform::OwnedDescriptor local_socket() {
  return platform::OwnedDescriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
}

}  // namespace

LocalListener listen_locally() {
  LocalListener listener{local_socket(), {}};
  const int socket = listener.socket.get();
  const sockaddr_un any{.sun_family = AF_UNIX, .sun_path = {}};
  if (socket < 0 || bind(socket, reinterpret_cast<const sockaddr*>(&any), sizeof any.sun_family) != 0 ||
      listen(socket, kBacklog) != 0)
    return {};
  sockaddr_un chosen{};
  socklen_t bytes = sizeof chosen;
  getsockname(socket, reinterpret_cast<sockaddr*>(&chosen), &bytes);
  listener.address.name_bytes = static_cast<std::uint32_t>(bytes - kBeforeName);
  std::memcpy(listener.address.name, chosen.sun_path + 1, listener.address.name_bytes);
  fill_with_secret(listener.address.token);
  return listener;
}

platform::OwnedDescriptor connect_locally(const LocalAddress& address) {
  sockaddr_un name{.sun_family = AF_UNIX, .sun_path = {}};
  std::memcpy(name.sun_path + 1, address.name, address.name_bytes);
  const auto bytes = static_cast<socklen_t>(kBeforeName + address.name_bytes);
  platform::OwnedDescriptor descriptor = local_socket();
  if (descriptor.get() >= 0 && connect(descriptor.get(), reinterpret_cast<const sockaddr*>(&name), bytes) != 0)
    return {};
  return descriptor;
}

bool is_of_this_user(int socket) {
  ucred peer{};
  socklen_t bytes = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == geteuid();
}

bool send_message(int socket, std::span<const std::byte> message, std::span<const int> descriptors) {
  iovec bytes{.iov_base = const_cast<std::byte*>(message.data()), .iov_len = message.size()};
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(kMostDescriptors * sizeof(int))> control{};
  msghdr header{};
  header.msg_iov = &bytes;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    header.msg_control = control.data();
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
  }
  ssize_t sent;
  while ((sent = sendmsg(socket, &header, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
  }
  return sent == static_cast<ssize_t>(message.size());
}

long receive_message(int socket, std::span<std::byte> message, int flags,
                     std::vector<platform::OwnedDescriptor>& descriptors) {
  iovec bytes{.iov_base = message.data(), .iov_len = message.size()};
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(kMostDescriptors * sizeof(int))> control{};
  msghdr header{};
  header.msg_iov = &bytes;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  const ssize_t received = recvmsg(socket, &header, flags | MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = 0; CMSG_LEN(at + sizeof(int)) <= part->cmsg_len; at += sizeof(int)) {
      int descriptor;
      std::memcpy(&descriptor, CMSG_DATA(part) + at, sizeof descriptor);
      descriptors.emplace_back(descriptor);
    }
  }
  return received;
}

void fill_with_secret(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno != EINTR)
      base::fail(kErrOther, fmt::format("the system has no random numbers for the secret of this job: {}",
                                        std::strerror(errno)));
    if (got > 0) bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace antiphon::bootstrap
