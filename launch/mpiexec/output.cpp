#include "mpiexec/output.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace antiphon::launch {
namespace {

bool are_the_same(int one, int other) {
  struct stat a {
  }, b{};
  return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

JobOutput::JobOutput(int ranks, Labels labels) : is_alone_(ranks == 1 && labels == Labels::none) {
  sinks_.reserve(2);
  sinks_.emplace_back(STDOUT_FILENO, "stdout");
  if (!are_the_same(STDOUT_FILENO, STDERR_FILENO)) sinks_.emplace_back(STDERR_FILENO, "stderr");
  for (Sink& sink : sinks_)
    for (int rank = 0; rank < ranks; ++rank)
      sink.lines.add_source(labels == Labels::rank ? fmt::format("[{}] ", rank) : "");
}

std::vector<StreamShape> JobOutput::shapes(bool ranks_are_here) const {
  std::vector<StreamShape> shapes;
  for (const Sink& sink : sinks_) {
    shapes.push_back(sink.end.shape());
    if (is_alone_ && ranks_are_here && !sink.end.may_lose()) shapes.back().kind = StreamShape::Kind::own;
  }
  return shapes;
}

void JobOutput::feed(int rank, std::uint32_t stream, std::string_view bytes) {
  if (!sinks_[stream].closed)
    sinks_[stream].lines.feed(static_cast<std::size_t>(rank), bytes, LineMerge::Clock::now());
}

void JobOutput::finish(int rank, std::uint32_t stream) {
  sinks_[stream].lines.finish(static_cast<std::size_t>(rank));
}

void JobOutput::append_polls(std::vector<pollfd>& polls) const {
  for (const Sink& sink : sinks_)
    if (!sink.waiting.empty()) polls.push_back({.fd = sink.end.fd(), .events = POLLOUT, .revents = 0});
}

void JobOutput::write_what_is_ready() {
  const auto now = LineMerge::Clock::now();
  for (Sink& sink : sinks_) {
    if (!sink.is_full()) sink.lines.collect(now, &sink.waiting);
    if (!sink.waiting.empty()) write_to(sink);
  }
}

std::optional<LineMerge::Clock::time_point> JobOutput::next_deadline() const {
  std::optional<LineMerge::Clock::time_point> next;
  for (const Sink& sink : sinks_) {
    const auto deadline = sink.is_full() ? std::nullopt : sink.lines.next_collect();
    if (deadline && (!next || *deadline < *next)) next = deadline;
  }
  return next;
}

void JobOutput::write_to(Sink& sink) {
  const ssize_t length = sink.end.write(sink.unwritten());
  if (length > 0) {
    sink.wrote(static_cast<std::size_t>(length));
  } else if (errno != EINTR && errno != EAGAIN) {
    const int error = errno;
    sink.wrote(sink.unwritten().size());
    if (error == EPIPE)
      sink.closed = true;
    else if (!failure_)
      failure_ = fmt::format("cannot write output: {} ({})", std::strerror(error), sink.name);
  }
}

bool JobOutput::is_idle() const {
  return std::ranges::all_of(sinks_, [](const Sink& sink) { return sink.waiting.empty() && sink.lines.is_empty(); });
}

bool JobOutput::reader_is_gone() const {
  return std::ranges::any_of(sinks_, [](const Sink& sink) { return sink.end.reader_is_gone(); });
}

}  // namespace antiphon::launch
