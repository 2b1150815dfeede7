#include "bootstrap/managers/pmi.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "bootstrap/foreign.hpp"

namespace antiphon::bootstrap {
namespace {

constexpr const char* kFd = "PMI_FD";
constexpr const char* kPort = "PMI_PORT";

int required_number(const Environment& environment, const char* variable, const char* because) {
  if (const std::optional<int> value = number(environment, variable); value && *value >= 0) return *value;
  base::fail(kErrOther,
             fmt::format("{}={} is set, so this process was started by a PMI launcher, which has to set {} "
                         "to a number; but that is {}. If it is meant to run alone, set {}=1",
                         because, environment(because).value_or(""), variable,
                         environment(variable).value_or("not set"), kSingletonVariable));
}

// What the launcher left open for this process. What the process starts is not a part of the job.
platform::OwnedDescriptor inherited(const Environment& environment) {
  const int fd = required_number(environment, kFd, kFd);
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISSOCK(info.st_mode))
    base::fail(kErrOther, fmt::format("{}={} is not a socket of this process, but a PMI launcher leaves one open for "
                                      "each rank that it starts: was this process started by a rank, or by something "
                                      "that closes descriptors? If it is meant to run alone, set {}=1",
                                      kFd, fd, kSingletonVariable));
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  return platform::OwnedDescriptor(fd);
}

[[noreturn]] void fail_to_connect(const std::string& address, const char* why) {
  base::fail(kErrOther,
             fmt::format("cannot connect to the PMI launcher of this process at {}={}: {}", kPort, address, why));
}

// To "host:port".
platform::OwnedDescriptor connected(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) fail_to_connect(address, "that is not a host, a colon and a port");
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(address.substr(0, colon).c_str(), address.substr(colon + 1).c_str(), &wanted, &found);
  if (error != 0) fail_to_connect(address, gai_strerror(error));
  platform::OwnedDescriptor connection;
  for (const addrinfo* one = found; one != nullptr && connection.get() < 0; one = one->ai_next) {
    platform::OwnedDescriptor attempt(socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (attempt.get() >= 0 && connect(attempt.get(), one->ai_addr, one->ai_addrlen) == 0)
      connection = std::move(attempt);
  }
  freeaddrinfo(found);
  if (connection.get() < 0) fail_to_connect(address, std::strerror(errno));
  return connection;
}

int number_in(const PmiLine& line, const PmiLine::Words& answer, const char* word) {
  const auto found = answer.find(word);
  const std::string text = found == answer.end() ? "nothing" : found->second;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    line.fail(fmt::format("says {} for '{}', where a number was expected", text, word));
  return value;
}

// PMI-1 knows no owner of a key.
std::string key_of(int rank, const std::string& key) { return fmt::format("antiphon.{}.{}", key, rank); }

std::string name_of(const Environment& environment) {
  const char* variable = environment(kFd) ? kFd : kPort;
  return fmt::format("the PMI launcher of this process ({}={})", variable, environment(variable).value_or(""));
}

PmiLine line_to_launcher(const Environment& environment) {
  const std::optional<std::string> address = environment(kPort);
  return {environment(kFd) ? inherited(environment) : connected(address.value_or("")), name_of(environment)};
}

}  // namespace

Pmi::Pmi(const Environment& environment)
    : name_(name_of(environment)), line_(line_to_launcher(environment)), identity_(introduce(environment)) {
  line_.ask("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init");
  const auto longest = number_in(line_, line_.ask("cmd=get_maxes", "maxes"), "vallen_max");
  if (longest < static_cast<int>(kValueBytes))
    line_.fail(fmt::format("takes values of up to {} bytes, and Antiphon needs {}", longest, kValueBytes));
  space_ = line_.ask("cmd=get_my_kvsname", "my_kvsname")["kvsname"];
  identity_.appnum = std::max(0, number_in(line_, line_.ask("cmd=get_appnum", "appnum"), "appnum"));
}

// Over a socket that was inherited, the environment says which rank this is. Over a connection, the launcher does.
ProcessManager::Identity Pmi::introduce(const Environment& environment) {
  if (environment(kFd))
    return {.rank = required_number(environment, "PMI_RANK", kFd),
            .size = required_number(environment, "PMI_SIZE", kFd)};
  const std::string question = fmt::format("cmd=initack pmiid={}", required_number(environment, "PMI_ID", kPort));
  line_.ask(question, "initack");
  Identity identity;
  identity.size = number_in(line_, line_.hear(question, "set"), "size");
  identity.rank = number_in(line_, line_.hear(question, "set"), "rank");
  line_.hear(question, "set");  // debug
  return identity;
}

void Pmi::put(const std::string& key, const std::string& value) {
  line_.ask(fmt::format("cmd=put kvsname={} key={} value={}", space_, key_of(identity_.rank, key), value),
            "put_result");
}

void Pmi::exchange() { line_.ask("cmd=barrier_in", "barrier_out"); }

std::string Pmi::get(int rank, const std::string& key) {
  return line_.ask(fmt::format("cmd=get kvsname={} key={}", space_, key_of(rank, key)), "get_result")["value"];
}

// Who cannot be told has ended.
void Pmi::finish() noexcept {
  try {
    line_.ask("cmd=finalize", "finalize_ack");
  } catch (const base::Error&) {
  }
}

// The launcher ends all processes as soon as it hears this, and what it has not read of their output by then is lost:
// perhaps the very line that says why.
void Pmi::abort(int exit_status, const std::string&) noexcept {
  constexpr useconds_t kToBeRead_us = 100'000;
  usleep(kToBeRead_us);
  line_.tell(fmt::format("cmd=abort exitcode={}", exit_status));
}

}  // namespace antiphon::bootstrap
