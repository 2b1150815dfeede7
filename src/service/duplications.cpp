#include "service/duplications.hpp"

#include "base/error.hpp"
#include "service/intercomm.hpp"

namespace antiphon::service {

Duplications::Started Duplications::start(Comm& parent) {
  Started started = tools_.progress.insist([&] {
    return Started{twin(parent), Ref<objects::Request>::adopt(new objects::Request(objects::Request::Kind::collective,
                                                                                   Ref<Comm>::share(parent)))};
  });
  const std::int32_t tag = parent.next_nonblocking_tag();
  tools_.progress.part_begins();
  Pending& pending = tools_.progress.insist(
      [&]() -> Pending& { return pending_.emplace_back(tools_, circle_of(parent, tag), started); });
  if (attempt([&] { return advance(pending); }))
    pending_.remove_if([&](const Pending& each) { return &each == &pending; });
  else
    has_begun();
  return started;
}

bool Duplications::push() {
  return std::erase_if(pending_, [this](Pending& pending) { return attempt([&] { return advance(pending); }); }) != 0;
}

bool Duplications::advance(Pending& pending) {
  try {
    if (!pending.agreement.advance()) return false;
    pending.copy->set_context(pending.agreement.take());
  } catch (base::Error& error) {  // it is for the one who waits, not for the call that happens to make progress
    pending.request->fail(error.error_class, [&] { return std::move(error.message); });
  }
  pending.request->complete();
  return true;
}

}  // namespace antiphon::service
