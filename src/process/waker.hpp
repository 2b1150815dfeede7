// Puts the threads of this process to sleep until its doorbell rings, and wakes them. A process whose packets all
// come through shared memory sleeps on the doorbell's word alone. One with connections sleeps on these, too: one of
// its threads, the watcher, waits for them and for the socket of the doorbell (ppoll), and the others sleep on the
// word. When the watcher has finished its wait, it wakes the others, because one of them has to watch next. Belongs
// to the Parking; any thread may call it, with the lane or without.
#pragma once

#include <atomic>
#include <cstdint>

#include "platform/linux/doorbell.hpp"
#include "platform/linux/event_set.hpp"

namespace antiphon::process {

// What a process with connections to other nodes sleeps on.
struct Descriptors {
  platform::BellSocket bell;
  platform::EventSet network;
};

class Waker {
 public:
  // `descriptors` may be null: then only the doorbell's word wakes the process.
  Waker(platform::Doorbell& doorbell, Descriptors* descriptors) noexcept;

  [[nodiscard]] std::uint32_t rings() const noexcept { return doorbell_.rings.load(std::memory_order_relaxed); }
  // Returns when the doorbell does not have `rings` any more, when a descriptor is ready, on a signal, or after
  // timeout_ns (0: no limit). False if nothing but the time has passed.
  bool sleep(std::uint32_t rings, std::uint64_t timeout_ns) noexcept;
  // To be called when a thread that has slept, once or several times, has finished its wait.
  void end_sleep() noexcept;
  // Wakes all threads of this process that sleep.
  void wake_own_threads() noexcept;

 private:
  bool sleep_on_word(std::uint32_t rings, std::uint64_t timeout_ns) noexcept;
  bool sleep_on_descriptors(std::uint64_t timeout_ns) noexcept;

  platform::Doorbell& doorbell_;
  Descriptors* const descriptors_;
  std::atomic<bool> watched_ = false;   // a thread is the watcher
  std::atomic<int> others_asleep_ = 0;  // threads that sleep on the word, or are about to, because there is a watcher
};

}  // namespace antiphon::process
