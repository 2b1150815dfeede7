#include "engine/coll/boards/page_experience.hpp"

#include <algorithm>

namespace antiphon::coll {

// The better of two counts: what disturbs one seldom disturbs the next.
void PageExperience::learn(Written how, std::uint64_t cost) {
  Known& seen = known(how);
  if (seen.last != kUnknown) seen.cost = std::min(seen.last, cost);
  seen.last = cost;
  const Written other = advice_ == Written::as_ever ? Written::past_caches : Written::as_ever;
  const std::uint64_t advised = known(advice_).cost;
  if (advised == kUnknown) return;
  if (known(other).cost < advised - advised / 8) advice_ = other;  // by more than chance may be
}

}  // namespace antiphon::coll
