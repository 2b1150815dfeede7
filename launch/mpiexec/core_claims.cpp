#include "mpiexec/core_claims.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <string>

namespace antiphon::launch {

CoreClaims::~CoreClaims() { release(); }

bool CoreClaims::claim(int cpu) {
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return true;  // no way to know: as if alone
  const std::string name = fmt::format("antiphon/cpu/{}", cpu);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);  // the leading zero makes it abstract
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), bytes) != 0) {
    close(fd);
    return false;
  }
  sockets_.push_back(fd);
  return true;
}

void CoreClaims::release() {
  for (const int fd : sockets_) close(fd);
  sockets_.clear();
}

}  // namespace antiphon::launch
