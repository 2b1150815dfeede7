#include "mpiexec/job_input.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace antiphon::launch {

// A process that reads a terminal from the background is stopped, unless it ignores this signal.
JobInput::JobInput() { signal(SIGTTIN, SIG_IGN); }

bool JobInput::wants_more() const {
  if (ended_ || under_way_ >= kMostUnderWay) return false;
  const pid_t foreground = tcgetpgrp(STDIN_FILENO);
  return foreground < 0 || foreground == getpgrp();
}

void JobInput::append_polls(std::vector<pollfd>& polls) const {
  if (wants_more()) polls.push_back({.fd = STDIN_FILENO, .events = POLLIN, .revents = 0});
}

std::optional<std::string_view> JobInput::read(std::span<const pollfd> polls) {
  const auto is_ready = [](const pollfd& ready) { return ready.fd == STDIN_FILENO && ready.revents != 0; };
  if (!wants_more() || std::ranges::none_of(polls, is_ready)) return std::nullopt;
  const ssize_t length = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
  if (length < 0 && (errno == EINTR || errno == EAGAIN)) return std::nullopt;
  ended_ = length <= 0;
  under_way_ += static_cast<std::size_t>(std::max<ssize_t>(length, 0));
  return std::string_view(buffer_.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
}

}  // namespace antiphon::launch
