#include "node/rank_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "common/failure.hpp"

namespace antiphon::launch {
namespace {

constexpr std::size_t kMostRead = 256 << 10;

// A stream from a rank to its node. Both ends close on exec; the reading end does not block.
struct Stream {
  int reading;
  int writing;
};

std::optional<Stream> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Stream{.reading = ends[0], .writing = ends[1]};
}

// Sets a rank's terminal to pass bytes unchanged: mpiexec's own terminal interprets them.
void pass_through(int terminal, const StreamShape& shape) {
  termios mode{};
  if (tcgetattr(terminal, &mode) == 0) {
    mode.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    mode.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    tcsetattr(terminal, TCSANOW, &mode);
  }
  const winsize size{.ws_row = shape.rows, .ws_col = shape.columns, .ws_xpixel = 0, .ws_ypixel = 0};
  if (shape.rows != 0) ioctl(terminal, TIOCSWINSZ, &size);
}

std::optional<Stream> make_terminal(const StreamShape& shape) {
  const int reading = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (reading < 0) return std::nullopt;
  std::array<char, 64> name{};
  int writing = -1;
  if (grantpt(reading) == 0 && unlockpt(reading) == 0 && ptsname_r(reading, name.data(), name.size()) == 0)
    writing = open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (writing < 0) {
    close(reading);
    return std::nullopt;
  }
  pass_through(writing, shape);
  return Stream{.reading = reading, .writing = writing};
}

std::optional<Stream> make_stream(const StreamShape& shape) {
  if (shape.kind == StreamShape::Kind::terminal)
    if (const std::optional<Stream> terminal = make_terminal(shape)) return terminal;
  return make_pipe();
}

}  // namespace

RankStreams::RankStreams(std::vector<StreamShape> shapes, std::function<void(const NodeEvent&)> report)
    : shapes_(std::move(shapes)), report_(std::move(report)) {}

RankStreams::~RankStreams() {
  for (const Source& source : sources_)
    if (source.fd >= 0) close(source.fd);
}

RankStreams::Ends RankStreams::open_for(int rank) {
  const int output_fd = open_source(rank, 0);
  return {.output_fd = output_fd, .error_fd = shapes_.size() == 1 ? output_fd : open_source(rank, 1)};
}

int RankStreams::open_source(int rank, std::uint32_t stream) {
  if (shapes_[stream].kind == StreamShape::Kind::own) {
    const int own = fcntl(STDOUT_FILENO + static_cast<int>(stream), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (own >= 0) return own;
  }
  const std::optional<Stream> made = make_stream(shapes_[stream]);
  if (!made)
    throw Failure{kExitFailure,
                  fmt::format("rank {}: no pipe for what it prints: {} (ulimit -n?)", rank, std::strerror(errno))};
  sources_.push_back({.fd = made->reading, .rank = rank, .stream = stream});
  return made->writing;
}

void RankStreams::close_ends(const Ends& ends) {
  close(ends.output_fd);
  if (ends.error_fd != ends.output_fd) close(ends.error_fd);
}

void RankStreams::append_polls(std::vector<pollfd>& polls) const {
  if (all_held_) return;
  for (const Source& source : sources_)
    if (source.fd >= 0 && !held_[source.stream]) polls.push_back({.fd = source.fd, .events = POLLIN, .revents = 0});
}

void RankStreams::handle(std::span<const pollfd> polls) {
  for (const pollfd& ready : polls) {
    if (ready.revents == 0) continue;
    const auto source = std::ranges::find(sources_, ready.fd, &Source::fd);
    if (source != sources_.end()) read_from(*source);
  }
}

void RankStreams::catch_up() {
  std::vector<pollfd> polls;
  append_polls(polls);
  if (poll(polls.data(), polls.size(), 0) > 0) handle(polls);
}

void RankStreams::hold(std::uint32_t stream, bool held) {
  if (stream < held_.size()) held_[stream] = held;
}

void RankStreams::close_all(std::uint32_t stream) {
  for (Source& source : sources_)
    if (source.stream == stream) close_source(source);
}

void RankStreams::end() {
  for (Source& source : sources_) {
    while (source.fd >= 0 && read_from(source)) continue;
    close_source(source);
  }
}

bool RankStreams::read_from(Source& source) {
  static thread_local std::array<char, kMostRead> buffer;
  const ssize_t length = read(source.fd, buffer.data(), buffer.size());
  if (length > 0) {
    report_(Printed{
        .rank = source.rank, .stream = source.stream, .bytes = {buffer.data(), static_cast<std::size_t>(length)}});
  } else if (length == 0 || (errno != EAGAIN && errno != EINTR)) {
    close_source(source);
  }
  return length > 0;
}

void RankStreams::close_source(Source& source) {
  if (source.fd < 0) return;
  close(source.fd);
  source.fd = -1;
  report_(StreamEnded{.rank = source.rank, .stream = source.stream});
}

}  // namespace antiphon::launch
