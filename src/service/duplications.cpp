#include "service/duplications.hpp"

#include "base/error.hpp"
#include "service/intercomm.hpp"

namespace antiphon::service {

Duplications::Started Duplications::start(Comm& parent) {
  Started started{twin(parent, objects::ContextLease(objects::kUndecidedContext)),
                  Ref<objects::Request>::adopt(
                      new objects::Request(objects::Request::Kind::collective, Ref<Comm>::share(parent)))};
  Pending& pending = pending_.emplace_back(tools_, circle_of(parent, parent.next_nonblocking_tag()), started);
  if (advance(pending))
    pending_.pop_back();
  else
    has_begun();
  return started;
}

bool Duplications::push() {
  return std::erase_if(pending_, [](Pending& pending) { return advance(pending); }) != 0;
}

bool Duplications::advance(Pending& pending) {
  try {
    if (!pending.agreement.advance()) return false;
    pending.copy->set_context(pending.agreement.take());
  } catch (base::Error& error) {  // it is for the one who waits, not for the call that happens to make progress
    pending.request->fail(error.error_class, std::move(error.message));
  }
  pending.request->complete();
  return true;
}

}  // namespace antiphon::service
