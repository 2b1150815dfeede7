#include "platform/linux/doorbell.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "platform/linux/futex.hpp"

namespace antiphon::platform {
namespace {

// The system chooses five hexadecimal digits (unix(7)), which fit into a word. A leading zero byte, in `sun_path`,
// marks the abstract name space.
constexpr std::size_t kNameBytes = 5;
constexpr socklen_t kAddressBytes = offsetof(sockaddr_un, sun_path) + 1 + kNameBytes;

[[noreturn]] void fail(const char* what) {
  base::fail(abi::ERR_OTHER,
             fmt::format("cannot {} the socket that wakes this process: {}", what, std::strerror(errno)));
}

}  // namespace

BellSocket::BellSocket() : socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (socket_.get() < 0) fail("create");
  const sa_family_t family = AF_UNIX;  // and no name
  if (bind(socket_.get(), reinterpret_cast<const sockaddr*>(&family), sizeof family) != 0) fail("name");
  sockaddr_un address{};
  socklen_t bytes = sizeof address;
  if (getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &bytes) != 0) fail("ask the name of");
  if (bytes != kAddressBytes) {
    errno = EPROTO;
    fail("use the name of");
  }
  std::memcpy(&name_, address.sun_path + 1, kNameBytes);
}

void BellSocket::empty() noexcept {
  std::byte nothing;
  while (recv(socket_.get(), &nothing, sizeof nothing, MSG_DONTWAIT) >= 0) {
  }
}

// The caller has read that the owner sleeps, so the owner has written the name of its socket.
void Doorbell::ring(int from) noexcept {
  rings.fetch_add(1, std::memory_order_release);
  if (from < 0) {
    futex_wake(rings, INT_MAX);  // of all its threads, because any of them may wait for this
    return;
  }
  const std::uint64_t name = socket.load(std::memory_order_acquire);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::memcpy(address.sun_path + 1, &name, kNameBytes);
  sendto(from, nullptr, 0, MSG_DONTWAIT | MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), kAddressBytes);
}

void Doorbell::ring_threads() noexcept {
  rings.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(rings, INT_MAX);
}

}  // namespace antiphon::platform
