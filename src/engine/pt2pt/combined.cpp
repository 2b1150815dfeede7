#include "engine/pt2pt/combined.hpp"

#include <algorithm>

#include "base/make_room.hpp"

namespace antiphon::pt2pt {

using objects::Ref;
using objects::Request;

bool CombinedRequest::settle() noexcept {
  if (!std::ranges::all_of(parts_, [](const Ref<Request>& part) { return part->done(); })) return false;
  outcome = parts_.front()->outcome;
  bool failed = false;
  for (const Ref<Request>& part : parts_)
    if (part->outcome.error != 0 && !failed) {
      fail(part->outcome.error, [&] { return part->failure(); });
      failed = true;
    }
  parts_.clear();
  memory_.reset();
  complete();
  return true;
}

base::WaitReason CombinedRequest::reason() const {
  const auto found = std::ranges::find_if(parts_, [](const Ref<Request>& part) { return !part->done(); });
  return found == parts_.end() ? Request::reason() : (*found)->reason();
}

Ref<CombinedRequest> Combined::prepare(objects::Comm& comm) {
  base::make_room(under_way_);
  return Ref<CombinedRequest>::adopt(new CombinedRequest(comm));
}

void Combined::start(const Ref<CombinedRequest>& prepared, CombinedRequest::Parts parts,
                     std::unique_ptr<std::byte[]> memory) noexcept {
  prepared->parts_ = std::move(parts);
  prepared->memory_ = std::move(memory);
  if (prepared->settle()) return;
  under_way_.push_back(prepared);
  has_begun();
}

bool Combined::push() {
  return std::erase_if(under_way_, [](const Ref<CombinedRequest>& request) { return request->settle(); }) != 0;
}

}  // namespace antiphon::pt2pt
