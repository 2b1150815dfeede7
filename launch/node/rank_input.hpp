// The standard input of rank 0 where mpiexec reads it on another machine: a pipe to the rank, and the bytes that it
// has not taken yet. Never waits. Owned by the Node.
#pragma once

#include <poll.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace antiphon::launch {

class RankInput {
 public:
  // Throws Failure if the system has no pipe left.
  RankInput();
  RankInput(const RankInput&) = delete;
  RankInput& operator=(const RankInput&) = delete;
  ~RankInput();

  [[nodiscard]] int reading_end() const { return ends_[0]; }
  // Closes this process's copy, after the rank has been started.
  void close_reading_end();

  // No bytes: the input ends.
  void take(std::string_view bytes);
  void append_polls(std::vector<pollfd>& polls) const;
  // Writes what the rank takes, and returns how many bytes that is. What a rank will never read counts as taken.
  std::size_t pass_on();

 private:
  void close_writing_end();

  int ends_[2];
  std::string waiting_;
  bool ended_ = false;
};

}  // namespace antiphon::launch
