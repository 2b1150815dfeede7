#include "platform/linux/asymmetric_fence.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace antiphon::platform {

// Every rank registers, so a fence in one rank reaches all processors that run any rank.
AsymmetricFence::AsymmetricFence() noexcept
    : available_(syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0) {}

void AsymmetricFence::heavy_fence() const noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (available_) syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
}

}  // namespace antiphon::platform
