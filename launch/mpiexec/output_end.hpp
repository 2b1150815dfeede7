// One of mpiexec's own ends, stdout or stderr: written to without blocking, whatever it is, and without changing the
// descriptor, which others share. Makes the streams that stand for it towards the ranks.
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
  // A terminal for a terminal, else a pipe. Nothing, and errno, if the system has none left.
  [[nodiscard]] std::optional<Stream> make_stream() const;

 private:
  enum class Kind { file, terminal, other };

  int fd_;
  Kind kind_;
  int own_ = -1;  // opened anew, so that it need not block
};

}  // namespace antiphon::launch
