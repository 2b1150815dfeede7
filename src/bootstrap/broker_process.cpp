#include "bootstrap/broker_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "bootstrap/stream.hpp"

namespace antiphon::bootstrap {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "antiphon-broker";

[[noreturn]] void fail(const std::string& why) {
  base::fail(kErrOther, fmt::format("cannot start the connection broker of this node, which a job of several nodes "
                                    "needs: {}",
                                    why));
}

// Beside this library, wherever the installation lies now; or where it was installed to.
std::vector<fs::path> places_of_program() {
  std::vector<fs::path> places;
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&places_of_program), &here) != 0 && here.dli_fname != nullptr) {
    std::error_code unknown;
    const fs::path name = here.dli_fname;
    for (const fs::path& library : {fs::absolute(name, unknown), fs::canonical(name, unknown)})
      for (const char* folder : {ANTIPHON_LIBEXEC_FROM_LIB, "../libexec/antiphon"})
        places.push_back((library.parent_path() / folder / kProgram).lexically_normal());
  }
  places.emplace_back(fs::path(ANTIPHON_LIBEXEC) / kProgram);
  std::vector<fs::path> different;
  for (const fs::path& place : places)
    if (std::ranges::find(different, place) == different.end()) different.push_back(place);
  return different;
}

std::string program() {
  std::string looked_at;
  for (const fs::path& place : places_of_program()) {
    if (access(place.c_str(), X_OK) == 0) return place;
    looked_at += (looked_at.empty() ? "" : ", ") + place.string();
  }
  fail(fmt::format("there is no program {} (is the installation complete?)", looked_at));
}

// In a child that may not allocate memory: other threads may have been in the middle of that.
[[noreturn]] void become_broker(const char* path, int socket, int lifeline, int nothing) {
  setsid();  // what ends one rank's process group is not meant for it
  if (fork() != 0) _exit(0);
  // First out of the way of the numbers that they get.
  const int high_socket = fcntl(socket, F_DUPFD, kLifelineFd + 1);
  const int high_lifeline = fcntl(lifeline, F_DUPFD, kLifelineFd + 1);
  const int high_nothing = fcntl(nothing, F_DUPFD, kLifelineFd + 1);
  dup2(high_socket, STDIN_FILENO);
  dup2(high_nothing, STDOUT_FILENO);
  dup2(high_lifeline, kLifelineFd);
  execl(path, kProgram, static_cast<char*>(nullptr));
  BrokerReady failed{};
  failed.kind = BrokerReady::Kind::not_started;
  failed.error = errno;
  (void)send_data(STDIN_FILENO, failed);
  _exit(1);
}

// Returns the socket of the conversation with it.
platform::OwnedDescriptor start(const std::string& path, int lifeline) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail(std::strerror(errno));
  platform::OwnedDescriptor mine(ends[0]);
  const platform::OwnedDescriptor its(ends[1]);
  const platform::OwnedDescriptor nothing(open("/dev/null", O_WRONLY | O_CLOEXEC));
  const pid_t child = fork();
  if (child < 0) fail(fmt::format("fork: {}", std::strerror(errno)));
  if (child == 0) become_broker(path.c_str(), its.get(), lifeline, nothing.get());
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return mine;
}

}  // namespace

std::string encode(const NodeEndpoint& endpoint) {
  std::string text = std::to_string(endpoint.port);
  for (std::size_t i = 0; i < endpoint.address_count; ++i) text += fmt::format(",{}", endpoint.addresses[i].data());
  return text;
}

NodeEndpoint decode_endpoint(const std::string& text) {
  NodeEndpoint endpoint{};
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  const auto [stop, error] = std::from_chars(at, end, endpoint.port);
  bool good = error == std::errc{} && endpoint.port != 0;
  for (at = stop; good && at != end;) {
    const char* const next = std::find(at + 1, end, ',');
    const auto bytes = static_cast<std::size_t>(next - at - 1);
    good = *at == ',' && endpoint.address_count < kMostAddresses && bytes < endpoint.addresses[0].size();
    if (good) std::copy(at + 1, next, endpoint.addresses[endpoint.address_count++].data());
    at = next;
  }
  if (!good)
    base::fail(kErrOther,
               fmt::format("a node of this job says that its connection broker is at '{}', where a port and "
                           "addresses were expected",
                           text));
  return endpoint;
}

BrokerProcess::BrokerProcess(const JobMap& job, int node, const JobSecret& secret) {
  const std::string path = program();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail(std::strerror(errno));
  const platform::OwnedDescriptor reading(ends[0]);
  lifeline_ = platform::OwnedDescriptor(ends[1]);
  socket_ = start(path, reading.get());

  const BrokerSetup setup{.layout_version = kJobLayoutVersion,
                          .node = node,
                          .ranks = static_cast<std::uint32_t>(job.places.size()),
                          .nodes = static_cast<std::uint32_t>(job.nodes()),
                          .secret = secret};
  std::vector<NodeName> names(job.nodes());
  for (std::size_t i = 0; i < names.size(); ++i) job.node_names[i].copy(names[i].data(), kNodeNameBytes - 1);
  const bool told = send_data(socket_.get(), setup) && send_data(socket_.get(), std::span(job.places)) &&
                    send_data(socket_.get(), std::span<const NodeName>(names));
  if (!receive_data(socket_.get(), ready_))
    fail(fmt::format("{} ended before it was ready{}", path, told ? "" : " to listen to this process"));
  if (ready_.kind == BrokerReady::Kind::not_started) fail(fmt::format("{}: {}", path, std::strerror(ready_.error)));
  if (ready_.kind == BrokerReady::Kind::failed)
    fail({ready_.failure.data(), strnlen(ready_.failure.data(), ready_.failure.size())});
}

void BrokerProcess::meet(std::span<const NodeEndpoint> endpoints) {
  if (!send_data(socket_.get(), endpoints)) fail("it has ended");
  socket_ = {};
}

}  // namespace antiphon::bootstrap
