#include "bootstrap/managers/pmi_line.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"

namespace antiphon::bootstrap {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 10;

// A word without '=' belongs to a text that somebody wrote with spaces, and says nothing to a program.
PmiLine::Words words_of(const std::string& line) {
  PmiLine::Words words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    const std::size_t equals = line.find('=', at);
    if (equals < end) words[line.substr(at, equals - at)] = line.substr(equals + 1, end - equals - 1);
    at = end + 1;
  }
  return words;
}

void await(int socket, short events) {
  pollfd wait{.fd = socket, .events = events, .revents = 0};
  poll(&wait, 1, -1);
}

}  // namespace

PmiLine::PmiLine(platform::OwnedDescriptor socket, std::string launcher)
    : socket_(std::move(socket)), launcher_(std::move(launcher)) {}

PmiLine::Words PmiLine::ask(const std::string& question, const std::string& answer) {
  if (!tell(question))
    fail(fmt::format("cannot be asked '{}': {}. It has ended, or lost this process", question, std::strerror(errno)));
  return hear(question, answer);
}

PmiLine::Words PmiLine::hear(const std::string& question, const std::string& answer) {
  const std::string line = next_line(question);
  Words words = words_of(line);
  if (words["cmd"] != answer)
    fail(fmt::format("answered '{}' to '{}', where PMI-1 says cmd={}", line, question, answer));
  if (words.contains("rc") && words["rc"] != "0") fail(fmt::format("answered '{}' to '{}'", line, question));
  return words;
}

// In one piece where the socket takes it: Slurm's server takes what it reads at once for a line.
bool PmiLine::tell(const std::string& line) noexcept try {
  const std::string text = line + '\n';
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t sent = send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (sent < 0)
      await(socket_.get(), POLLOUT);
    else
      rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
} catch (const std::bad_alloc&) {
  errno = ENOMEM;
  return false;
}

void PmiLine::fail(const std::string& what) const { base::fail(kErrOther, fmt::format("{} {}", launcher_, what)); }

std::string PmiLine::next_line(const std::string& question) {
  std::size_t newline;
  while ((newline = received_.find('\n')) == std::string::npos) {
    if (received_.size() > kLongestLine)
      fail(fmt::format("answers '{}' with more than {} bytes without a newline", question, kLongestLine));
    std::array<char, 4096> part;
    const ssize_t bytes = recv(socket_.get(), part.data(), part.size(), 0);
    if (bytes == 0 || (bytes < 0 && errno != EINTR && errno != EAGAIN))
      fail(fmt::format("did not answer '{}': {}. It has ended, or lost this process", question,
                       bytes == 0 ? "it closed the connection" : std::strerror(errno)));
    if (bytes < 0)
      await(socket_.get(), POLLIN);
    else
      received_.append(part.data(), static_cast<std::size_t>(bytes));
  }
  std::string line = received_.substr(0, newline);
  received_.erase(0, newline + 1);
  return line;
}

}  // namespace antiphon::bootstrap
