// The two halves of an asymmetric fence. A sleeper stores "I sleep" and then looks for work; a publisher publishes
// work and then looks for sleepers. Both must order their store before their load. Publishers are frequent, so
// they only keep the compiler from reordering (light_fence). The sleeper, which is about to spend microseconds
// anyway, makes every processor of the machine execute a full barrier (heavy_fence, membarrier(2)).
// docs/decisions/0003 has the reasons.
#pragma once

#include <atomic>

namespace antiphon::platform {

class AsymmetricFence {
 public:
  // Registers this process. A kernel may refuse, or leave out a processor now and then, so a publisher may miss a
  // sleeper: sleepers therefore look once more after a while.
  AsymmetricFence() noexcept;
  void heavy_fence() const noexcept;
  static void light_fence() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

 private:
  bool available_;
};

}  // namespace antiphon::platform
