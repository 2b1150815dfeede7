#include "broker/fixed_transfer.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace antiphon::launch {
namespace {

// `bytes`: what recv or send returned.
Moved after(ssize_t bytes, std::span<std::byte>& left) {
  if (bytes < 0) return errno == EAGAIN || errno == EINTR ? Moved::not_yet : Moved::broken;
  if (bytes == 0) return Moved::broken;
  left = left.subspan(static_cast<std::size_t>(bytes));
  return left.empty() ? Moved::all : Moved::not_yet;
}

}  // namespace

Moved FixedTransfer::read_from(int descriptor) {
  const ssize_t bytes = recv(descriptor, left_.data(), left_.size(), MSG_DONTWAIT);
  if (bytes == 0) errno = ECONNRESET;
  return after(bytes, left_);
}

Moved FixedTransfer::write_to(int descriptor) {
  return after(send(descriptor, left_.data(), left_.size(), MSG_DONTWAIT | MSG_NOSIGNAL), left_);
}

}  // namespace antiphon::launch
