#include "platform/linux/event_set.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "abi/constants.hpp"
#include "base/error.hpp"

namespace antiphon::platform {

EventSet::EventSet() : set_(epoll_create1(EPOLL_CLOEXEC)) {
  if (set_.get() < 0)
    base::fail(abi::ERR_OTHER, fmt::format("cannot watch connections: epoll_create1: {}", std::strerror(errno)));
}

bool EventSet::add(int descriptor, void* owner, For wanted) noexcept {
  epoll_event event{.events = static_cast<std::uint32_t>(wanted), .data = {.ptr = owner}};
  return epoll_ctl(set_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void EventSet::change(int descriptor, void* owner, For wanted) noexcept {
  epoll_event event{.events = static_cast<std::uint32_t>(wanted), .data = {.ptr = owner}};
  epoll_ctl(set_.get(), EPOLL_CTL_MOD, descriptor, &event);
}

void EventSet::remove(int descriptor) noexcept { epoll_ctl(set_.get(), EPOLL_CTL_DEL, descriptor, nullptr); }

std::span<const EventSet::Ready> EventSet::ready() noexcept {
  std::array<epoll_event, kMostReady> events;
  const int found = epoll_wait(set_.get(), events.data(), kMostReady, 0);
  for (int i = 0; i < found; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    ready_[static_cast<std::size_t>(i)] = {.owner = event.data.ptr,
                                           .to_read = (event.events & ~std::uint32_t{EPOLLOUT}) != 0,
                                           .to_write = (event.events & EPOLLOUT) != 0};
  }
  return {ready_.data(), static_cast<std::size_t>(found > 0 ? found : 0)};
}

}  // namespace antiphon::platform
