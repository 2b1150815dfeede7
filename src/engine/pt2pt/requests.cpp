#include "engine/pt2pt/requests.hpp"

namespace antiphon::pt2pt {

bool ReceiveRequest::release_early() noexcept {
  const std::lock_guard held(lock());
  return Refcounted::release();
}

void ReceiveRequest::retire_locked() noexcept {
  const std::lock_guard held(lock());
  go_back();
}

}  // namespace antiphon::pt2pt
