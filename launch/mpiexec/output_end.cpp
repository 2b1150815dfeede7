#include "mpiexec/output_end.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace antiphon::launch {
namespace {

std::optional<Stream> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Stream{.reading = ends[0], .writing = ends[1]};
}

// Sets a rank's terminal to pass bytes unchanged: mpiexec's own terminal interprets them.
void pass_through(int terminal, int like) {
  termios mode{};
  if (tcgetattr(terminal, &mode) == 0) {
    mode.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    mode.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    tcsetattr(terminal, TCSANOW, &mode);
  }
  winsize size{};
  if (ioctl(like, TIOCGWINSZ, &size) == 0) ioctl(terminal, TIOCSWINSZ, &size);
}

std::optional<Stream> make_terminal(int like) {
  const int reading = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (reading < 0) return std::nullopt;
  std::array<char, 64> name{};
  int writing = -1;
  if (grantpt(reading) == 0 && unlockpt(reading) == 0 && ptsname_r(reading, name.data(), name.size()) == 0)
    writing = open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (writing < 0) {
    close(reading);
    return std::nullopt;
  }
  pass_through(writing, like);
  return Stream{.reading = reading, .writing = writing};
}

}  // namespace

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

int OutputEnd::duplicate() const { return fcntl(fd_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); }

bool OutputEnd::reader_is_gone() const {
  pollfd end{.fd = fd_, .events = 0, .revents = 0};
  return poll(&end, 1, 0) == 1 && (end.revents & (POLLERR | POLLHUP)) != 0;
}

std::optional<Stream> OutputEnd::make_stream() const {
  if (kind_ == Kind::terminal)
    if (const std::optional<Stream> terminal = make_terminal(fd_)) return terminal;
  return make_pipe();
}

}  // namespace antiphon::launch
