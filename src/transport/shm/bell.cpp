#include "transport/shm/bell.hpp"

#include <climits>

#include "platform/linux/futex.hpp"

namespace antiphon::transport::shm {

void Bell::ring() const noexcept {
  doorbell->fetch_add(1, std::memory_order_release);
  platform::futex_wake(*doorbell, INT_MAX);  // of all its threads, because any of them may wait for this
}

}  // namespace antiphon::transport::shm
