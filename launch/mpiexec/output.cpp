#include "mpiexec/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "mpiexec/failure.hpp"

namespace antiphon::launch {
namespace {

constexpr int kStalled_ms = 2000;

void make_pipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw Failure{kExitFailure, fmt::format("-l needs two pipes a rank: {} (ulimit -n?)", std::strerror(errno))};
  }
}

}  // namespace

LabelledOutput::LabelledOutput(int ranks)
    : sinks_{{.fd = STDOUT_FILENO, .waiting = {}}, {.fd = STDERR_FILENO, .waiting = {}}} {
  sources_.reserve(2 * static_cast<std::size_t>(ranks));
}

LabelledOutput::~LabelledOutput() {
  for (const Source& source : sources_) {
    if (source.fd >= 0) close(source.fd);
  }
}

LabelledOutput::Ends LabelledOutput::open_for(int rank) {
  const int output_fd = open_source(rank, 0);
  return {.output_fd = output_fd, .error_fd = open_source(rank, 1)};
}

int LabelledOutput::open_source(int rank, std::size_t sink) {
  int ends[2];
  make_pipe(ends);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  sources_.push_back({.fd = ends[0], .sink = sink, .lines = LineLabeller(fmt::format("[{}] ", rank))});
  return ends[1];
}

void LabelledOutput::close_ends(const Ends& ends) {
  close(ends.output_fd);
  close(ends.error_fd);
}

void LabelledOutput::append_polls(std::vector<pollfd>& polls) const {
  for (const Sink& sink : sinks_) {
    if (!sink.waiting.empty()) polls.push_back({.fd = sink.fd, .events = POLLOUT, .revents = 0});
  }
  for (const Source& source : sources_) {
    if (source.fd >= 0 && sinks_[source.sink].waiting.empty()) {
      polls.push_back({.fd = source.fd, .events = POLLIN, .revents = 0});
    }
  }
}

void LabelledOutput::handle(const std::vector<pollfd>& polls) {
  for (const pollfd& ready : polls) {
    if (ready.revents == 0) continue;
    for (std::size_t sink = 0; sink < std::size(sinks_); ++sink) {
      if (sinks_[sink].fd == ready.fd && !sinks_[sink].waiting.empty()) write_to(sink);
    }
    for (Source& source : sources_) {
      if (source.fd == ready.fd) read_from(source);
    }
  }
}

void LabelledOutput::drain() {
  std::vector<pollfd> polls;
  while (!is_idle()) {
    polls.clear();
    append_polls(polls);
    if (poll(polls.data(), polls.size(), kStalled_ms) == 0) return;
    handle(polls);
  }
}

void LabelledOutput::read_from(Source& source) {
  Sink& sink = sinks_[source.sink];
  std::array<char, 64 << 10> buffer;
  const ssize_t length = read(source.fd, buffer.data(), buffer.size());
  if (length > 0) {
    source.lines.feed({buffer.data(), static_cast<std::size_t>(length)}, sink.waiting);
  } else if (length == 0 || (errno != EAGAIN && errno != EINTR)) {
    source.lines.finish(sink.waiting);
    close(source.fd);
    source.fd = -1;
  }
}

// poll promises room for PIPE_BUF bytes and no more; the descriptor is shared with others, so it stays blocking.
void LabelledOutput::write_to(std::size_t index) {
  Sink& sink = sinks_[index];
  const ssize_t length = write(sink.fd, sink.waiting.data(), std::min<std::size_t>(sink.waiting.size(), PIPE_BUF));
  if (length > 0) {
    sink.waiting.erase(0, static_cast<std::size_t>(length));
  } else if (errno != EINTR && errno != EAGAIN) {
    sink.waiting.clear();
    close_sources_of(index);
  }
}

void LabelledOutput::close_sources_of(std::size_t sink) {
  for (Source& source : sources_) {
    if (source.sink != sink || source.fd < 0) continue;
    close(source.fd);
    source.fd = -1;
  }
}

bool LabelledOutput::is_idle() const {
  const bool written = sinks_[0].waiting.empty() && sinks_[1].waiting.empty();
  return written && std::all_of(sources_.begin(), sources_.end(), [](const Source& s) { return s.fd < 0; });
}

}  // namespace antiphon::launch
