// Labelled output (-l): a pipe from each rank's stdout and stderr, whose lines mpiexec passes on with the rank in
// front. Without -l no rank's output goes through mpiexec at all. Nothing here blocks: a reader that is slow or gone
// must not keep the supervisor from doing its duty. When the reader is gone the pipes close, so that ranks learn it
// as they would without -l. While output waits to be written no more is read, so a rank that prints too fast waits in
// its own write.
#pragma once

#include <poll.h>

#include <string>
#include <vector>

#include "mpiexec/label.hpp"

namespace antiphon::launch {

class LabelledOutput {
 public:
  explicit LabelledOutput(int ranks);
  LabelledOutput(const LabelledOutput&) = delete;
  LabelledOutput& operator=(const LabelledOutput&) = delete;
  ~LabelledOutput();

  struct Ends {
    int output_fd;
    int error_fd;
  };
  // Makes the pipes of `rank` and returns the ends for the rank; close them after the fork with close_ends.
  Ends open_for(int rank);
  static void close_ends(const Ends& ends);

  // What to poll for, to be given back to handle() afterwards.
  void append_polls(std::vector<pollfd>& polls) const;
  void handle(const std::vector<pollfd>& polls);

  // The job is over: reads and writes what is left, for as long as the reader takes it, but no longer than a moment
  // once it stops taking.
  void drain();

 private:
  struct Source {
    int fd;            // reading end; -1: ended
    std::size_t sink;  // index of the sink
    LineLabeller lines;
  };
  struct Sink {
    int fd;
    std::string waiting;
  };

  int open_source(int rank, std::size_t sink);
  void read_from(Source& source);
  void write_to(std::size_t sink);
  void close_sources_of(std::size_t sink);
  [[nodiscard]] bool is_idle() const;

  std::vector<Source> sources_;
  Sink sinks_[2];
};

}  // namespace antiphon::launch
