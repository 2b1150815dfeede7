// Brings receives and messages together, in the order that MPI 5.0, 3.5 demands: a message goes to the receive posted
// first among those that accept it, a receive takes the message that came first among those it accepts. Exact
// receives and messages find each other through a hash of (context, source, tag), whose tables grow with what they
// hold; wildcards cost a walk. Owns the unexpected messages it holds, none of the receives. One for each Section,
// whose lock guards it.
#pragma once

#include <memory>

#include "engine/pt2pt/buckets.hpp"
#include "engine/pt2pt/requests.hpp"

namespace antiphon::pt2pt {

class Matcher {
 public:
  Matcher() = default;
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;
  ~Matcher();

  // Whether there is a message that no receive has taken.
  [[nodiscard]] bool has_unexpected() const { return !arrivals_.empty(); }
  // The message that a receive wanting this would take; stays where it is. Null if there is none.
  [[nodiscard]] Unexpected* peek(const Envelope& wanted);
  // The message that this sender calls so; null if it is not here, or not any more.
  [[nodiscard]] Unexpected* find_sent(int process, std::uint64_t sender_cookie);
  // A message that is here.
  [[nodiscard]] std::unique_ptr<Unexpected> take(Unexpected& message);
  // For a receive for which there is no message.
  void post(ReceiveRequest& receive);
  void withdraw(ReceiveRequest& receive);
  // One that arrive() gave a message, which has to come again: to where it was.
  void post_again(ReceiveRequest& receive);

  // The posted receive that takes this message, or null; it is no longer posted.
  [[nodiscard]] ReceiveRequest* arrive(const Envelope& sent);
  // The one that arrive() would return, if that is to be seen at once: no wildcards, no other envelopes. Stays
  // posted.
  [[nodiscard]] ReceiveRequest* find_at_once(const Envelope& sent) {
    return posted_wildcards_.empty() ? posted_.find_at_once(sent) : nullptr;
  }
  // The one that arrive() would return; stays posted.
  [[nodiscard]] ReceiveRequest* find(const Envelope& sent);
  void hold(std::unique_ptr<Unexpected> message);

 private:
  Buckets<ReceiveRequest, base::ListHook> posted_;
  base::IntrusiveList<ReceiveRequest> posted_wildcards_;
  Buckets<Unexpected, BucketHook> unexpected_;
  base::IntrusiveList<Unexpected, ArrivalHook> arrivals_;
  std::uint64_t posts_ = 0;
};

// Defined here because every message passes through them.

inline void Matcher::post(ReceiveRequest& receive) {
  receive.order = ++posts_;
  (receive.wanted.exact() ? posted_.of(receive.wanted) : posted_wildcards_).push_back(receive);
}

inline std::unique_ptr<Unexpected> Matcher::take(Unexpected& message) {
  base::IntrusiveList<Unexpected, BucketHook>::remove(message);
  base::IntrusiveList<Unexpected, ArrivalHook>::remove(message);
  return std::unique_ptr<Unexpected>(&message);
}

inline void Matcher::withdraw(ReceiveRequest& receive) { receive.unlink(); }

inline ReceiveRequest* Matcher::find(const Envelope& sent) {
  const auto accepts = [&](const ReceiveRequest& receive) { return receive.wanted.accepts(sent); };
  ReceiveRequest* match = posted_.find(sent);
  if (!posted_wildcards_.empty())
    if (ReceiveRequest* wild = posted_wildcards_.find(accepts); wild && (!match || wild->order < match->order))
      match = wild;
  return match;
}

inline ReceiveRequest* Matcher::arrive(const Envelope& sent) {
  ReceiveRequest* match = find(sent);
  if (match) match->unlink();
  return match;
}

inline void Matcher::hold(std::unique_ptr<Unexpected> message) {
  unexpected_.of(message->envelope).push_back(*message);
  arrivals_.push_back(*message.release());
}

inline Unexpected* Matcher::find_sent(int process, std::uint64_t sender_cookie) {
  return arrivals_.find([&](const Unexpected& message) {
    return message.world_source == process && message.sender_cookie() == sender_cookie;
  });
}

inline Unexpected* Matcher::peek(const Envelope& wanted) {
  if (arrivals_.empty()) return nullptr;
  if (wanted.exact()) return unexpected_.find(wanted);
  return arrivals_.find([&](const Unexpected& message) { return wanted.accepts(message.envelope); });
}

}  // namespace antiphon::pt2pt
