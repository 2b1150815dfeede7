// The costly half of an asymmetric fence. A sleeper says "I sleep" and then looks for work; a publisher publishes
// work and then looks for sleepers. Each must order its store before its load. Publishers are many and hurried, so
// they only keep the compiler in order (light_fence), and the sleeper, about to spend microseconds anyway, makes
// every processor of the machine pass a full barrier (heavy_fence, membarrier(2)).
#pragma once

#include <atomic>

namespace antiphon::platform {

class AsymmetricFence {
 public:
  // Registers this process. Kernels refuse, or leave out a processor now and then: so a sleeper looks once more after
  // a while, because a publisher may have missed it.
  AsymmetricFence() noexcept;
  void heavy_fence() const noexcept;
  static void light_fence() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

 private:
  bool available_;
};

}  // namespace antiphon::platform
