#include "service/contexts.hpp"

#include <new>

namespace antiphon::service {

using objects::kFirstFreeContext;

namespace {
// The upper half is kept for processes that join the job later.
constexpr std::uint32_t kEnd = objects::MessageSpace::kContexts / 2;
}  // namespace

Contexts::Contexts(int self, int processes, std::uint32_t block) {
  if (block == kAsManyAsThereAre) block = (kEnd - kFirstFreeContext) / static_cast<std::uint32_t>(processes);
  begin_ = kFirstFreeContext + static_cast<std::uint32_t>(self) * block;
  end_ = begin_ + block;
  next_ = begin_;
}

Contexts::Drawn Contexts::draw() {
  if (!untouched_.empty()) {
    const std::uint32_t context = untouched_.back();
    untouched_.pop_back();
    return {take(context), true};
  }
  if (next_ == end_) {
    fresh_ = false;
    next_ = begin_;
  }
  const std::uint32_t first = next_;
  while (!fresh_ && used_.contains(next_)) {
    next_ = next_ + 1 == end_ ? begin_ : next_ + 1;
    if (next_ == first) return {objects::ContextLease(kNone), true};
  }
  const std::uint32_t drawn = next_;
  ++next_;
  return {take(drawn), fresh_};
}

// Without memory it is as if the number had been used.
void Contexts::give_back(Drawn drawn) noexcept {
  if (!drawn.fresh || drawn.lease.context() == kNone) return;
  try {
    untouched_.push_back(drawn.lease.context());
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace antiphon::service
