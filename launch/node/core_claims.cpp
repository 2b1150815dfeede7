#include "node/core_claims.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

namespace antiphon::launch {
namespace {

constexpr std::string_view kPrefix = "antiphon/cpu/";

struct Name {
  explicit Name(int cpu) {
    const std::string name = fmt::format("{}{}/{}", kPrefix, cpu, geteuid());
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path + 1, sizeof address.sun_path - 1);  // a null byte before the name makes it abstract
    bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  }
  template <class Call>
  int with(Call* call, int fd) const {
    return call(fd, reinterpret_cast<const sockaddr*>(&address), bytes);
  }

  sockaddr_un address{};
  socklen_t bytes = 0;
};

// Connects to the name's holder to learn its user. The holder may be between bind and listen, so ECONNREFUSED is
// tried again. It accepts no connections, so after many jobs have connected its queue is full; EAGAIN then counts as
// a holder of this user, which is most likely.
bool is_held_by_this_user(const Name& name, int fd) {
  constexpr int kTries = 4, kPause_us = 500;
  int connected = -1;
  for (int i = 0; i < kTries && (connected = name.with(connect, fd)) != 0 && errno == ECONNREFUSED; ++i)
    usleep(kPause_us);
  if (connected != 0) return errno == EAGAIN;
  ucred holder{};
  socklen_t bytes = sizeof holder;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &holder, &bytes) == 0 && holder.uid == geteuid();
}

}  // namespace

CoreClaims::~CoreClaims() { release(); }

bool CoreClaims::claim(int cpu) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return true;  // claims are impossible: act as if there were no other job
  const Name name(cpu);
  if (name.with(bind, fd) == 0 && listen(fd, SOMAXCONN) == 0) {
    sockets_.push_back(fd);
    return true;
  }
  const bool taken = is_held_by_this_user(name, fd);
  close(fd);
  return !taken;
}

void CoreClaims::release() {
  for (const int fd : sockets_) close(fd);
  sockets_.clear();
}

// A line of /proc/net/unix ends with the socket's name; abstract names begin with '@' there.
std::vector<int> cpus_claimed_by_others() {
  std::vector<int> cpus;
  std::ifstream sockets("/proc/net/unix");
  for (std::string line; std::getline(sockets, line);) {
    const std::size_t at = line.find(fmt::format("@{}", kPrefix));
    if (at == std::string::npos) continue;
    const char* const end = line.data() + line.size();
    int cpu = 0;
    uid_t user = 0;
    const auto [after_cpu, bad_cpu] = std::from_chars(line.data() + at + 1 + kPrefix.size(), end, cpu);
    if (bad_cpu != std::errc{} || after_cpu == end) continue;
    const auto [after_user, bad_user] = std::from_chars(after_cpu + 1, end, user);
    if (bad_user == std::errc{} && user != geteuid()) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace antiphon::launch
