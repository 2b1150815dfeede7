// Wakes another process that sleeps. Has what a process needs of each peer that it may have to wake.
#pragma once

#include <atomic>
#include <cstdint>

#include "platform/linux/asymmetric_fence.hpp"
#include "platform/linux/doorbell.hpp"

namespace antiphon::transport::shm {

struct Bell {
  std::atomic<std::uint32_t>* sleeping;
  platform::Doorbell* doorbell;
  bool full_fence;  // sleepers rely on the publisher's fence instead of making one for it (platform/AsymmetricFence)
  int socket = -1;  // this process's own BellSocket, where the processes of the job sleep on descriptors

  // Call this after something has been published that the peer may wait for.
  [[nodiscard]] bool is_wanted() const noexcept {
    if (full_fence) [[unlikely]]
      std::atomic_thread_fence(std::memory_order_seq_cst);
    else
      platform::AsymmetricFence::light_fence();
    return sleeping->load(std::memory_order_relaxed) != 0;
  }
  void ring() const noexcept { doorbell->ring(socket); }
  void ring_if_asleep() const noexcept {
    if (is_wanted()) [[unlikely]]
      ring();
  }
};

}  // namespace antiphon::transport::shm
