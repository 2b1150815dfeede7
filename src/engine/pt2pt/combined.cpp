#include "engine/pt2pt/combined.hpp"

#include <algorithm>

namespace antiphon::pt2pt {

using objects::Ref;
using objects::Request;

CombinedRequest::CombinedRequest(objects::Comm& comm, Parts parts, std::unique_ptr<std::byte[]> memory)
    : Request(Kind::combined, Ref<objects::Comm>::share(comm)),
      parts_(std::move(parts)),
      memory_(std::move(memory)) {}

bool CombinedRequest::settle() {
  if (!std::ranges::all_of(parts_, [](const Ref<Request>& part) { return part->done(); })) return false;
  outcome = parts_.front()->outcome;
  for (const Ref<Request>& part : parts_)
    if (part->outcome.error != 0 && !error_text) fail(part->outcome.error, *part->error_text);
  parts_.clear();
  memory_.reset();
  complete();
  return true;
}

base::WaitReason CombinedRequest::reason() const {
  const auto found = std::ranges::find_if(parts_, [](const Ref<Request>& part) { return !part->done(); });
  return found == parts_.end() ? Request::reason() : (*found)->reason();
}

Ref<CombinedRequest> Combined::start(objects::Comm& comm, CombinedRequest::Parts parts,
                                     std::unique_ptr<std::byte[]> memory) {
  auto request = Ref<CombinedRequest>::adopt(new CombinedRequest(comm, std::move(parts), std::move(memory)));
  if (!request->settle()) {
    under_way_.push_back(request);
    has_begun();
  }
  return request;
}

bool Combined::push() {
  return std::erase_if(under_way_, [](const Ref<CombinedRequest>& request) { return request->settle(); }) != 0;
}

}  // namespace antiphon::pt2pt
