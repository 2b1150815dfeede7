// Descriptors that a process watches together: epoll(7). It remembers for each descriptor a pointer that its owner
// gave it. Its own descriptor is readable while one of them is ready, so that a sleeping thread needs to wait for
// that one only. Any thread may call notice() and has_news(); the rest is for one thread at a time.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::platform {

class EventSet {
 public:
  enum class For : std::uint32_t { reading = EPOLLIN, reading_and_writing = EPOLLIN | EPOLLOUT };
  struct Ready {
    void* owner;
    bool to_read;  // or something is wrong, which a read will tell
    bool to_write;
  };

  // Fails with ERR_OTHER if the system has no more descriptors.
  EventSet();

  [[nodiscard]] int descriptor() const noexcept { return set_.get(); }
  // False if the system refuses.
  [[nodiscard]] bool add(int descriptor, void* owner, For wanted = For::reading) noexcept;
  void change(int descriptor, void* owner, For wanted) noexcept;
  // To be called before the descriptor is closed.
  void remove(int descriptor) noexcept;
  // Those that are ready now, at most as many as an array of kMostReady holds; does not wait. Valid until the next
  // call.
  [[nodiscard]] std::span<const Ready> ready() noexcept;

  // A thread that slept on descriptor() says that it was readable, so whoever looks seldom should look now.
  void notice() noexcept { noticed_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool has_news() const noexcept { return noticed_.load(std::memory_order_relaxed); }
  void forget_news() noexcept { noticed_.store(false, std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kMostReady = 32;

  OwnedDescriptor set_;
  std::array<Ready, kMostReady> ready_{};
  std::atomic<bool> noticed_ = false;
};

}  // namespace antiphon::platform
