#include "mpiexec/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "common/failure.hpp"

namespace antiphon::launch {
namespace {

constexpr std::size_t kMostRead = 256 << 10;

bool are_the_same(int one, int other) {
  struct stat a {
  }, b{};
  return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

RankOutput::RankOutput(int ranks, Labels labels) : labels_(labels), is_alone_(ranks == 1 && labels == Labels::none) {
  sources_.reserve(2 * static_cast<std::size_t>(ranks));
  sinks_.reserve(2);
  sinks_.emplace_back(STDOUT_FILENO, "stdout");
  if (!are_the_same(STDOUT_FILENO, STDERR_FILENO)) sinks_.emplace_back(STDERR_FILENO, "stderr");
}

RankOutput::~RankOutput() {
  for (const Source& source : sources_)
    if (source.fd >= 0) close(source.fd);
}

RankOutput::Ends RankOutput::open_for(int rank) {
  const int output_fd = open_source(rank, 0);
  return {.output_fd = output_fd, .error_fd = sinks_.size() == 1 ? output_fd : open_source(rank, 1)};
}

int RankOutput::open_source(int rank, std::size_t sink) {
  const OutputEnd& end = sinks_[sink].end;
  if (is_alone_ && !end.may_lose())
    if (const int own = end.duplicate(); own >= 0) return own;
  const std::optional<Stream> stream = end.make_stream();
  if (!stream)
    throw Failure{kExitFailure,
                  fmt::format("rank {}: no pipe for what it prints: {} (ulimit -n?)", rank, std::strerror(errno))};
  const std::string label = labels_ == Labels::rank ? fmt::format("[{}] ", rank) : "";
  sources_.push_back({.fd = stream->reading, .sink = sink, .number = sinks_[sink].lines.add_source(label)});
  return stream->writing;
}

void RankOutput::close_ends(const Ends& ends) {
  close(ends.output_fd);
  if (ends.error_fd != ends.output_fd) close(ends.error_fd);
}

void RankOutput::append_polls(std::vector<pollfd>& polls) const {
  for (const Sink& sink : sinks_)
    if (!sink.waiting.empty()) polls.push_back({.fd = sink.end.fd(), .events = POLLOUT, .revents = 0});
  for (const Source& source : sources_)
    if (source.fd >= 0 && !sinks_[source.sink].is_full())
      polls.push_back({.fd = source.fd, .events = POLLIN, .revents = 0});
}

void RankOutput::handle(const std::vector<pollfd>& polls) {
  for (const pollfd& ready : polls) {
    if (ready.revents == 0) continue;
    const auto source = std::ranges::find(sources_, ready.fd, &Source::fd);
    if (source != sources_.end()) read_from(*source);
  }
  const auto now = LineMerge::Clock::now();
  for (std::size_t index = 0; index < sinks_.size(); ++index) {
    if (!sinks_[index].is_full()) sinks_[index].lines.collect(now, &sinks_[index].waiting);
    if (!sinks_[index].waiting.empty()) write_to(index);
  }
}

std::optional<LineMerge::Clock::time_point> RankOutput::next_deadline() const {
  std::optional<LineMerge::Clock::time_point> next;
  for (const Sink& sink : sinks_) {
    const auto deadline = sink.is_full() ? std::nullopt : sink.lines.next_collect();
    if (deadline && (!next || *deadline < *next)) next = deadline;
  }
  return next;
}

void RankOutput::catch_up() {
  std::vector<pollfd> polls;
  append_polls(polls);
  if (poll(polls.data(), polls.size(), 0) > 0) handle(polls);
}

void RankOutput::end_sources() {
  for (Source& source : sources_) {
    while (source.fd >= 0 && read_from(source)) continue;
    close_source(source);
  }
  handle({});
}

bool RankOutput::read_from(Source& source) {
  static thread_local std::array<char, kMostRead> buffer;
  LineMerge& lines = sinks_[source.sink].lines;
  const ssize_t length = read(source.fd, buffer.data(), buffer.size());
  if (length > 0) {
    lines.feed(source.number, {buffer.data(), static_cast<std::size_t>(length)}, LineMerge::Clock::now());
  } else if (length == 0 || (errno != EAGAIN && errno != EINTR)) {
    close_source(source);
  }
  return length > 0;
}

void RankOutput::close_source(Source& source) {
  if (source.fd < 0) return;
  sinks_[source.sink].lines.finish(source.number);
  close(source.fd);
  source.fd = -1;
}

void RankOutput::write_to(std::size_t index) {
  Sink& sink = sinks_[index];
  const ssize_t length = sink.end.write(sink.unwritten());
  if (length > 0) {
    sink.wrote(static_cast<std::size_t>(length));
  } else if (errno != EINTR && errno != EAGAIN) {
    const int error = errno;
    sink.wrote(sink.unwritten().size());
    if (error == EPIPE)
      close_sources_of(index);
    else if (!failure_)
      failure_ = fmt::format("cannot write output: {} ({})", std::strerror(error), sink.name);
  }
}

void RankOutput::close_sources_of(std::size_t sink) {
  for (Source& source : sources_)
    if (source.sink == sink) close_source(source);
}

bool RankOutput::is_idle() const {
  return std::ranges::all_of(sinks_, [](const Sink& sink) { return sink.waiting.empty() && sink.lines.is_empty(); });
}

bool RankOutput::reader_is_gone() const {
  return std::ranges::any_of(sinks_, [](const Sink& sink) { return sink.end.reader_is_gone(); });
}

}  // namespace antiphon::launch
