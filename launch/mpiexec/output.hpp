// Writes what the ranks print to the stdout and stderr of mpiexec, where LineMerge merges their lines. If both are
// the same file, each rank has one stream for both, so their order is kept. Nothing here blocks, because a slow
// reader must not delay the job. If the reader closes its end, the streams of the ranks are to be closed, so that
// ranks notice it as they would without mpiexec. If output cannot be written for another reason, such as a full disk,
// it is lost, and the ranks continue; failure() says so. While much output waits to be written, a stream is full, and
// ranks should not be asked for more. Owned by the Job.
//
// A single rank on this machine writes directly to the stdout and stderr of mpiexec, unless lines get labels or
// output to that file may be lost unnoticed.
#pragma once

#include <poll.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpiexec/line_merge.hpp"
#include "mpiexec/output_end.hpp"

namespace antiphon::launch {

enum class Labels { none, rank };

class JobOutput {
 public:
  JobOutput(int ranks, Labels labels);

  // One for stdout and one for stderr, or one for both.
  [[nodiscard]] std::vector<StreamShape> shapes(bool ranks_are_here) const;
  [[nodiscard]] std::uint32_t streams() const { return static_cast<std::uint32_t>(sinks_.size()); }

  void feed(int rank, std::uint32_t stream, std::string_view bytes);
  void finish(int rank, std::uint32_t stream);
  // Ranks could not be read for a while, because the stream was full, and are read again from now on.
  void resume(std::uint32_t stream) { sinks_[stream].lines.forget_silence(LineMerge::Clock::now()); }

  // append_polls() adds what to poll for; call write_what_is_ready() after poll(2) and at next_deadline().
  void append_polls(std::vector<pollfd>& polls) const;
  void write_what_is_ready();
  [[nodiscard]] std::optional<LineMerge::Clock::time_point> next_deadline() const;

  [[nodiscard]] bool is_full(std::uint32_t stream) const { return sinks_[stream].is_full(); }
  // Nobody reads this stream any more.
  [[nodiscard]] bool is_closed(std::uint32_t stream) const { return sinks_[stream].closed; }
  // Whether all output has been written.
  [[nodiscard]] bool is_idle() const;

  // The first reason why output could not be written, for the user; nothing if there was none.
  [[nodiscard]] const std::optional<std::string>& failure() const { return failure_; }
  // Whether the reader has closed its end; a rank that prints then dies by SIGPIPE.
  [[nodiscard]] bool reader_is_gone() const;

 private:
  struct Sink {
    Sink(int fd, const char* as) : end(fd), name(as), lines(end.reader()) {}

    static constexpr std::size_t kMostWaiting = 1 << 20;  // bytes

    [[nodiscard]] std::string_view unwritten() const { return std::string_view(waiting).substr(written); }
    [[nodiscard]] bool is_full() const { return unwritten().size() >= kMostWaiting; }
    // These bytes have been written. The rest moves to the front of the string only now and then, because a terminal
    // takes few bytes at a time.
    void wrote(std::size_t bytes) {
      written += bytes;
      if (2 * written < waiting.size()) return;
      waiting.erase(0, written);
      written = 0;
    }

    OutputEnd end;
    const char* name;
    LineMerge lines;      // its sources are the ranks
    std::string waiting;  // bytes to be written, after `written` bytes that are
    std::size_t written = 0;
    bool closed = false;
  };

  void write_to(Sink& sink);

  bool is_alone_;
  std::optional<std::string> failure_;
  std::vector<Sink> sinks_;  // one or two
};

}  // namespace antiphon::launch
