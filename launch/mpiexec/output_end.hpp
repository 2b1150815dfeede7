// One of mpiexec's own output streams, stdout or stderr. It is written without blocking, whatever kind of file it
// is, and without changing the descriptor, which other processes share. Says what ranks should get in its place. If
// mpiexec was started without stdout or stderr, main() has opened a file there that cannot be written.
#pragma once

#include <sys/types.h>

#include <string_view>

#include "mpiexec/line_merge.hpp"
#include "node/description.hpp"

namespace antiphon::launch {

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
  // What ranks print to in place of this stream, so that they behave as without mpiexec.
  [[nodiscard]] StreamShape shape() const;

 private:
  enum class Kind { file, terminal, device, other };  // device: anything else that no process reads

  int fd_;
  Kind kind_;
  int own_ = -1;  // the same file, opened again to be nonblocking
};

}  // namespace antiphon::launch
