// Plain data through a connected stream socket, whole.
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <span>

namespace antiphon::bootstrap {

// False, with errno (0: the other end is closed), where not all bytes could be sent or received.
[[nodiscard]] inline bool send_all(int socket, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return false;
    if (sent > 0) bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

[[nodiscard]] inline bool receive_all(int socket, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t received = recv(socket, bytes.data(), bytes.size(), 0);
    if (received == 0) errno = 0;
    if (received == 0 || (received < 0 && errno != EINTR)) return false;
    if (received > 0) bytes = bytes.subspan(static_cast<std::size_t>(received));
  }
  return true;
}

template <class Data>
[[nodiscard]] bool send_data(int socket, std::span<const Data> data) {
  return send_all(socket, std::as_bytes(data));
}
template <class Data>
[[nodiscard]] bool send_data(int socket, const Data& data) {
  return send_data(socket, std::span<const Data>(&data, 1));
}
template <class Data>
[[nodiscard]] bool receive_data(int socket, std::span<Data> data) {
  return receive_all(socket, std::as_writable_bytes(data));
}
template <class Data>
[[nodiscard]] bool receive_data(int socket, Data& data) {
  return receive_data(socket, std::span<Data>(&data, 1));
}

}  // namespace antiphon::bootstrap
