// One of mpiexec's own output streams, stdout or stderr. It is written without blocking, whatever kind of file it
// is, and without changing the descriptor, which other processes share. Creates the streams that ranks get in its
// place. If mpiexec was started without stdout or stderr, main() has opened a file there that cannot be written.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "mpiexec/line_merge.hpp"

namespace antiphon::launch {

// From a rank to mpiexec. Both ends close on exec; the reading end does not block.
struct Stream {
  int reading;
  int writing;
};

class OutputEnd {
 public:
  // `fd` stays the caller's.
  explicit OutputEnd(int fd);
  OutputEnd(OutputEnd&& other) noexcept;
  OutputEnd(const OutputEnd&) = delete;
  OutputEnd& operator=(const OutputEnd&) = delete;
  ~OutputEnd();

  [[nodiscard]] int fd() const { return own_ >= 0 ? own_ : fd_; }
  [[nodiscard]] LineMerge::Reader reader() const {
    return kind_ == Kind::file ? LineMerge::Reader::file : LineMerge::Reader::somebody;
  }
  // As write(2), when poll has said that there is room, or before.
  ssize_t write(std::string_view bytes) const;
  // Whether writing may fail and few programs would notice: a file has no room left, or there is nothing to write to.
  // Who writes to a pipe, a socket or a terminal waits for room, and gets a signal when its reader is gone.
  [[nodiscard]] bool may_lose() const { return kind_ == Kind::file || kind_ == Kind::device; }
  [[nodiscard]] bool reader_is_gone() const;
  // As dup(2); closes on exec.
  [[nodiscard]] int duplicate() const;
  // A terminal for a terminal, else a pipe. Nothing, and errno, if the system has none left.
  [[nodiscard]] std::optional<Stream> make_stream() const;

 private:
  enum class Kind { file, terminal, device, other };  // device: anything else that no process reads

  int fd_;
  Kind kind_;
  int own_ = -1;  // opened anew, so that it need not block
};

}  // namespace antiphon::launch
