// The two halves of an asymmetric fence. A sleeper announces its sleep and then looks for work; a publisher publishes
// work and then looks for sleepers. Both must order their store before their load. Publishers run often, so they only
// keep the compiler from reordering (light_fence). The sleeper, which will sleep for microseconds anyway, makes the
// processors that run ranks execute a full barrier (heavy_fence, membarrier(2)). docs/decisions/0003 gives the
// reasons.
#pragma once

#include <atomic>

namespace antiphon::platform {

class AsymmetricFence {
 public:
  // Registers this process. The kernel may refuse, or miss a processor now and then, so a publisher may miss a
  // sleeper. Sleepers therefore look once more after a while.
  AsymmetricFence() noexcept;
  void heavy_fence() const noexcept;
  static void light_fence() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

 private:
  bool available_;
};

}  // namespace antiphon::platform
