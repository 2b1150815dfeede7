// The streams to which the ranks of a node print: creates them, and reports what comes out of them. Each rank has one
// for stdout and one for stderr, or one for both, so that their order is kept. A stream that is held is not read, so
// a rank that prints too fast waits in its own write. Nothing here blocks. Owned by the Node.
#pragma once

#include <poll.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "node/events.hpp"

namespace antiphon::launch {

class RankStreams {
 public:
  RankStreams(std::vector<StreamShape> shapes, std::function<void(const NodeEvent&)> report);
  RankStreams(const RankStreams&) = delete;
  RankStreams& operator=(const RankStreams&) = delete;
  ~RankStreams();

  struct Ends {
    int output_fd;
    int error_fd;
  };
  // Creates the streams of `rank` and returns its ends; close them after the fork with close_ends.
  Ends open_for(int rank);
  static void close_ends(const Ends& ends);

  void append_polls(std::vector<pollfd>& polls) const;
  void handle(std::span<const pollfd> polls);
  // Reads what can be read without waiting.
  void catch_up();

  void hold(std::uint32_t stream, bool held);
  void hold_all(bool held) { all_held_ = held; }
  // Nobody reads this any more: closes the stream of every rank, so that they notice.
  void close_all(std::uint32_t stream);
  // All ranks have ended: reads the rest and closes everything.
  void end();

 private:
  struct Source {
    int fd;  // reading end; -1 after the end
    int rank;
    std::uint32_t stream;
  };

  int open_source(int rank, std::uint32_t stream);
  // True if bytes were read.
  bool read_from(Source& source);
  void close_source(Source& source);

  std::vector<StreamShape> shapes_;
  std::function<void(const NodeEvent&)> report_;
  std::array<bool, 2> held_{};
  bool all_held_ = false;
  std::vector<Source> sources_;
};

}  // namespace antiphon::launch
