#include "node/rank_input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/failure.hpp"

namespace antiphon::launch {

RankInput::RankInput() {
  if (pipe2(ends_, O_CLOEXEC) != 0)
    throw Failure{kExitFailure, fmt::format("no pipe for the standard input of rank 0: {}", std::strerror(errno))};
  fcntl(ends_[1], F_SETFL, O_NONBLOCK);
}

RankInput::~RankInput() {
  close_reading_end();
  close_writing_end();
}

void RankInput::close_reading_end() {
  if (ends_[0] >= 0) close(ends_[0]);
  ends_[0] = -1;
}

void RankInput::close_writing_end() {
  if (ends_[1] >= 0) close(ends_[1]);
  ends_[1] = -1;
}

void RankInput::take(std::string_view bytes) {
  waiting_ += bytes;
  ended_ = ended_ || bytes.empty();
}

void RankInput::append_polls(std::vector<pollfd>& polls) const {
  if (ends_[1] >= 0 && (!waiting_.empty() || ended_))
    polls.push_back({.fd = ends_[1], .events = POLLOUT, .revents = 0});
}

std::size_t RankInput::pass_on() {
  std::size_t taken = 0;
  while (ends_[1] >= 0 && !waiting_.empty()) {
    const ssize_t length = write(ends_[1], waiting_.data(), waiting_.size());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) break;
    if (length < 0) {  // the rank has closed it
      close_writing_end();
      break;
    }
    waiting_.erase(0, static_cast<std::size_t>(length));
    taken += static_cast<std::size_t>(length);
  }
  if (ends_[1] < 0) {
    taken += waiting_.size();
    waiting_.clear();
  }
  if (ended_ && waiting_.empty()) close_writing_end();
  return taken;
}

}  // namespace antiphon::launch
