#include "process/waker.hpp"

#include <poll.h>

#include <array>
#include <cerrno>
#include <ctime>

#include "platform/linux/futex.hpp"

namespace antiphon::process {

Waker::Waker(platform::Doorbell& doorbell, Descriptors* descriptors) noexcept
    : doorbell_(doorbell), descriptors_(descriptors) {
  if (descriptors) doorbell.socket.store(descriptors->bell.name(), std::memory_order_release);
}

// A thread that finds a watcher counts itself and looks again whether there is one. The watcher ends its watch before
// it reads the count (end_sleep). So that thread is counted, and woken, or it finds no watcher and watches itself.
bool Waker::sleep(std::uint32_t rings, std::uint64_t timeout_ns) noexcept {
  if (!descriptors_) [[likely]]
    return sleep_on_word(rings, timeout_ns);
  while (watched_.exchange(true)) {
    others_asleep_.fetch_add(1);
    const bool is_watched = watched_.load();
    const bool rung = is_watched && sleep_on_word(rings, timeout_ns);
    others_asleep_.fetch_sub(1);
    if (is_watched) return rung;
  }
  // Threads of this process that ring from here on see the watcher.
  const bool woken = doorbell_.rings.load() != rings || sleep_on_descriptors(timeout_ns);
  watched_.store(false);
  return woken;
}

void Waker::end_sleep() noexcept {
  if (others_asleep_.load() != 0 && !watched_.load()) doorbell_.ring_threads();
}

bool Waker::sleep_on_word(std::uint32_t rings, std::uint64_t timeout_ns) noexcept {
  platform::futex_wait(doorbell_.rings, rings, timeout_ns);
  return doorbell_.rings.load(std::memory_order_relaxed) != rings;
}

bool Waker::sleep_on_descriptors(std::uint64_t timeout_ns) noexcept {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const timespec limit{static_cast<time_t>(timeout_ns / kSecond), static_cast<long>(timeout_ns % kSecond)};
  std::array<pollfd, 2> watched{
      {{descriptors_->bell.descriptor(), POLLIN, 0}, {descriptors_->network.descriptor(), POLLIN, 0}}};
  const int found = ppoll(watched.data(), watched.size(), timeout_ns == 0 ? nullptr : &limit, nullptr);
  if (found <= 0) return found < 0;  // a signal: the caller looks again
  if (watched[0].revents != 0) descriptors_->bell.empty();
  if (watched[1].revents != 0) descriptors_->network.notice();
  return true;
}

void Waker::wake_own_threads() noexcept {
  doorbell_.ring_threads();
  if (watched_.load()) doorbell_.ring(descriptors_->bell.descriptor());
}

}  // namespace antiphon::process
