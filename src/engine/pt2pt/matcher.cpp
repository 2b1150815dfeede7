#include "engine/pt2pt/matcher.hpp"

namespace antiphon::pt2pt {

Matcher::~Matcher() {
  while (!arrivals_.empty()) {
    std::unique_ptr<Unexpected> message(&arrivals_.front());
    base::IntrusiveList<Unexpected, ArrivalHook>::remove(*message);
  }
}

}  // namespace antiphon::pt2pt
