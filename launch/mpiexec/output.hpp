// Passes on what ranks print. Each rank has a pipe for stdout and one for stderr (or a terminal of its own if mpiexec
// has one, so that programs behave as without mpiexec), and LineMerge merges their lines. If stdout and stderr of
// mpiexec are the same file, each rank has one stream for both, so their order is kept. Nothing here blocks, because
// a slow reader must not delay the supervisor. If the reader closes its end, the pipes of the ranks are closed, so
// that ranks notice it as they would without mpiexec. If output cannot be written for another reason, such as a full
// disk, it is lost, and the ranks continue; failure() says so. While much output waits to be written, no more is
// read, so a rank that prints too fast waits in its own write. Owned by the supervisor.
//
// A single rank writes directly to the stdout and stderr of mpiexec, unless lines get labels or output to that file
// may be lost unnoticed.
#pragma once

#include <poll.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpiexec/line_merge.hpp"
#include "mpiexec/output_end.hpp"

namespace antiphon::launch {

enum class Labels { none, rank };

class RankOutput {
 public:
  RankOutput(int ranks, Labels labels);
  RankOutput(const RankOutput&) = delete;
  RankOutput& operator=(const RankOutput&) = delete;
  ~RankOutput();

  struct Ends {
    int output_fd;
    int error_fd;
  };
  // Creates the streams of `rank` and returns its ends; close them after the fork with close_ends.
  Ends open_for(int rank);
  static void close_ends(const Ends& ends);

  // append_polls() adds what to poll for; pass the result of poll(2) to handle(). Call handle() at next_deadline(),
  // too.
  void append_polls(std::vector<pollfd>& polls) const;
  void handle(const std::vector<pollfd>& polls);
  [[nodiscard]] std::optional<LineMerge::Clock::time_point> next_deadline() const;

  // Passes on what the ranks have printed so far, as far as that is possible without blocking. Called before mpiexec
  // itself prints a message.
  void catch_up();
  // All ranks have ended: reads the rest of their streams and closes them.
  void end_sources();
  // Whether all output has been written.
  [[nodiscard]] bool is_idle() const;

  // The first reason why output could not be written, for the user; nothing if there was none.
  [[nodiscard]] const std::optional<std::string>& failure() const { return failure_; }
  // Whether the reader has closed its end; a rank that prints then dies by SIGPIPE.
  [[nodiscard]] bool reader_is_gone() const;

 private:
  struct Source {
    int fd;              // reading end; -1 after the end
    std::size_t sink;    // index of the sink
    std::size_t number;  // in the sink's LineMerge
  };
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
    LineMerge lines;
    std::string waiting;  // bytes to be written, after `written` bytes that are
    std::size_t written = 0;
  };

  int open_source(int rank, std::size_t sink);
  // True if bytes were read.
  bool read_from(Source& source);
  void write_to(std::size_t sink);
  void close_sources_of(std::size_t sink);
  void close_source(Source& source);

  Labels labels_;
  bool is_alone_;
  std::optional<std::string> failure_;
  std::vector<Source> sources_;
  std::vector<Sink> sinks_;  // one or two
};

}  // namespace antiphon::launch
