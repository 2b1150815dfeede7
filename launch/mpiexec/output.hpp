// Passes on what ranks print. Each rank has a pipe for stdout and one for stderr (or a terminal of its own if
// mpiexec has one, so that programs behave as without mpiexec), and LineMerge merges their lines. If stdout and
// stderr of mpiexec are the same file, each rank has one stream for both, so they keep their order. Nothing here
// blocks, because a slow reader must not keep the supervisor from its work. When the reader is gone, the pipes are
// closed, so ranks notice it as they would without mpiexec. If output cannot be written for another reason, such
// as a full disk, it is lost, and the ranks go on; failure() tells. While much output waits to be written, no more
// is read, so a rank that prints too fast waits in its own write. Owned by the supervisor.
//
// A rank that is alone writes directly to the stdout and stderr of mpiexec.
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
  // Makes the streams of `rank` and returns the ends for the rank; close them after the fork with close_ends.
  Ends open_for(int rank);
  static void close_ends(const Ends& ends);

  // What to poll for, to be given back to handle() afterwards, which is also to be called at next_deadline().
  void append_polls(std::vector<pollfd>& polls) const;
  void handle(const std::vector<pollfd>& polls);
  [[nodiscard]] std::optional<LineMerge::Clock::time_point> next_deadline() const;

  // Passes on what the ranks have printed so far, as far as the reader takes it: before mpiexec itself has a say.
  void catch_up();
  // All ranks have ended: takes what is left in their streams, which is all that will ever come.
  void end_sources();
  // Nothing waits to be written.
  [[nodiscard]] bool is_idle() const;

  // Why something could not be written, for the user: the first reason there was, if any.
  [[nodiscard]] const std::optional<std::string>& failure() const { return failure_; }
  // So that a rank that printed would die by SIGPIPE.
  [[nodiscard]] bool reader_is_gone() const;

 private:
  struct Source {
    int fd;              // reading end; -1: ended
    std::size_t sink;    // index of the sink
    std::size_t number;  // in the sink's LineMerge
  };
  struct Sink {
    Sink(int fd, const char* as) : end(fd), name(as), lines(end.reader()) {}

    static constexpr std::size_t kMostWaiting = 1 << 20;  // bytes

    [[nodiscard]] std::string_view unwritten() const { return std::string_view(waiting).substr(written); }
    [[nodiscard]] bool is_full() const { return unwritten().size() >= kMostWaiting; }
    // The next bytes of it. What follows moves to the front once in a while only: a terminal takes little at a time.
    void wrote(std::size_t bytes) {
      written += bytes;
      if (2 * written < waiting.size()) return;
      waiting.erase(0, written);
      written = 0;
    }

    OutputEnd end;
    const char* name;
    LineMerge lines;
    std::string waiting;  // to be written, or written
    std::size_t written = 0;
  };

  int open_source(int rank, std::size_t sink);
  // True if there was something to read.
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
