#include "mpiexec/output_end.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace antiphon::launch {
OutputEnd::OutputEnd(int fd) : fd_(fd), kind_(Kind::other) {
  struct stat about {};
  if (fstat(fd, &about) == 0 && !S_ISFIFO(about.st_mode) && !S_ISSOCK(about.st_mode))
    kind_ = S_ISREG(about.st_mode) ? Kind::file : Kind::device;
  if (isatty(fd) == 1) kind_ = Kind::terminal;
  if (kind_ != Kind::file)
    own_ = open(fmt::format("/proc/self/fd/{}", fd).c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

OutputEnd::OutputEnd(OutputEnd&& other) noexcept
    : fd_(other.fd_), kind_(other.kind_), own_(std::exchange(other.own_, -1)) {}

OutputEnd::~OutputEnd() {
  if (own_ >= 0) close(own_);
}

// A file accepts all bytes without blocking. If the stream could not be opened again, as a socket cannot, poll
// guarantees room for PIPE_BUF bytes only.
ssize_t OutputEnd::write(std::string_view bytes) const {
  if (own_ >= 0 || kind_ == Kind::file) return ::write(fd(), bytes.data(), bytes.size());
  pollfd room{.fd = fd_, .events = POLLOUT, .revents = 0};
  if (poll(&room, 1, 0) == 0) {
    errno = EAGAIN;
    return -1;
  }
  return ::write(fd_, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
}

bool OutputEnd::reader_is_gone() const {
  pollfd end{.fd = fd_, .events = 0, .revents = 0};
  return poll(&end, 1, 0) == 1 && (end.revents & (POLLERR | POLLHUP)) != 0;
}

StreamShape OutputEnd::shape() const {
  winsize size{};
  if (kind_ != Kind::terminal) return {};
  ioctl(fd_, TIOCGWINSZ, &size);
  return {.kind = StreamShape::Kind::terminal, .rows = size.ws_row, .columns = size.ws_col};
}

}  // namespace antiphon::launch
