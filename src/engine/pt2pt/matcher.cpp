#include "engine/pt2pt/matcher.hpp"

namespace antiphon::pt2pt {

Matcher::~Matcher() {
  while (!arrivals_.empty()) {
    std::unique_ptr<Unexpected> message(&arrivals_.front());
    base::IntrusiveList<Unexpected, ArrivalHook>::remove(*message);
  }
}

void Matcher::post_again(ReceiveRequest& receive) {
  (receive.wanted.exact() ? posted_.of(receive.wanted) : posted_wildcards_)
      .insert_before(receive, [&](const ReceiveRequest& other) { return other.order > receive.order; });
}

}  // namespace antiphon::pt2pt
