// One of mpiexec's own output streams, stdout or stderr. It is written without blocking, whatever kind of file it
// is, and without changing the descriptor, which other processes share. Creates the streams that ranks get in its
// place. If mpiexec was started without stdout or stderr, main() has opened a file there that cannot be written.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "mpiexec/line_merge.hpp"

namespace antiphon::launch {

// A stream from a rank to mpiexec. Both ends close on exec; the reading end does not block.
struct Stream {
  int reading;
  int writing;
};

class OutputEnd {
 public:
  // The caller keeps ownership of `fd`.
  explicit OutputEnd(int fd);
  OutputEnd(OutputEnd&& other) noexcept;
  OutputEnd(const OutputEnd&) = delete;
  OutputEnd& operator=(const OutputEnd&) = delete;
  ~OutputEnd();

  [[nodiscard]] int fd() const { return own_ >= 0 ? own_ : fd_; }
  [[nodiscard]] LineMerge::Reader reader() const {
    return kind_ == Kind::file ? LineMerge::Reader::file : LineMerge::Reader::somebody;
  }
  // Like write(2), but never blocks.
  ssize_t write(std::string_view bytes) const;
  // Whether a write may fail without most programs noticing: a file may be out of space, and a device may discard or
  // refuse the bytes. A writer to a pipe, a socket or a terminal waits for room, and gets a signal if the reader has
  // closed its end.
  [[nodiscard]] bool may_lose() const { return kind_ == Kind::file || kind_ == Kind::device; }
  [[nodiscard]] bool reader_is_gone() const;
  // Like dup(2); closes on exec.
  [[nodiscard]] int duplicate() const;
  // Makes a terminal if this stream is one, otherwise a pipe. Returns nothing and sets errno if the system has none
  // left.
  [[nodiscard]] std::optional<Stream> make_stream() const;

 private:
  enum class Kind { file, terminal, device, other };  // device: anything else that no process reads

  int fd_;
  Kind kind_;
  int own_ = -1;  // the same file, opened again to be nonblocking
};

}  // namespace antiphon::launch
