#include "engine/pt2pt/matcher.hpp"

namespace antiphon::pt2pt {

Matcher::~Matcher() {
  while (!arrivals_.empty()) {
    std::unique_ptr<Unexpected> message(&arrivals_.front());
    base::IntrusiveList<Unexpected, ArrivalHook>::remove(*message);
  }
}

std::unique_ptr<Unexpected> Matcher::post(ReceiveRequest& receive) {
  if (Unexpected* message = peek(receive.wanted)) {
    base::IntrusiveList<Unexpected, BucketHook>::remove(*message);
    base::IntrusiveList<Unexpected, ArrivalHook>::remove(*message);
    return std::unique_ptr<Unexpected>(message);
  }
  receive.order = ++posts_;
  (receive.wanted.exact() ? posted_[bucket(receive.wanted)] : posted_wildcards_).push_back(receive);
  return nullptr;
}

void Matcher::withdraw(ReceiveRequest& receive) { receive.unlink(); }

ReceiveRequest* Matcher::arrive(const Envelope& sent) {
  const auto accepts = [&](const ReceiveRequest& receive) { return receive.wanted.accepts(sent); };
  ReceiveRequest* match = posted_[bucket(sent)].find(accepts);
  if (!posted_wildcards_.empty())
    if (ReceiveRequest* wild = posted_wildcards_.find(accepts); wild && (!match || wild->order < match->order))
      match = wild;
  if (match) match->unlink();
  return match;
}

void Matcher::hold(std::unique_ptr<Unexpected> message) {
  unexpected_[bucket(message->envelope)].push_back(*message);
  arrivals_.push_back(*message.release());
}

Unexpected* Matcher::peek(const Envelope& wanted) {
  if (arrivals_.empty()) return nullptr;
  const auto accepted = [&](const Unexpected& message) { return wanted.accepts(message.envelope); };
  return wanted.exact() ? unexpected_[bucket(wanted)].find(accepted) : arrivals_.find(accepted);
}

}  // namespace antiphon::pt2pt
