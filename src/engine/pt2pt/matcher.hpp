// Matches receives and messages in the order that MPI 5.0, 3.5 demands: a message matches the receive that was posted
// first among those that accept it, and a receive matches the message that arrived first among those that it accepts.
// Receives without wildcards and messages find each other through hash tables by context, source and tag, which grow
// with their contents; receives with wildcards are searched one by one. Owns the unexpected messages that it holds,
// but no receives. Each Section has one, protected by the section's lock.
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

  // Whether there are unexpected messages.
  [[nodiscard]] bool has_unexpected() const { return !arrivals_.empty(); }
  // The message that such a receive would match, or null. It stays in the queue.
  [[nodiscard]] Unexpected* peek(const Envelope& wanted);
  // The unexpected message of `process` with this cookie; null if it has not arrived or has been taken.
  [[nodiscard]] Unexpected* find_sent(int process, std::uint64_t sender_cookie);
  // `message` must be in the queue.
  [[nodiscard]] std::unique_ptr<Unexpected> take(Unexpected& message);
  // To be called if no message matches the receive.
  void post(ReceiveRequest& receive);
  void withdraw(ReceiveRequest& receive);

  // Removes and returns the posted receive that matches this message; null if there is none.
  [[nodiscard]] ReceiveRequest* arrive(const Envelope& sent);
  // The receive that arrive() would return, if no list has to be searched for it: there are no wildcards, and the
  // first receive in its bucket matches. It stays posted.
  [[nodiscard]] ReceiveRequest* find_at_once(const Envelope& sent) {
    return posted_wildcards_.empty() ? posted_.find_at_once(sent) : nullptr;
  }
  // The receive that arrive() would return; it stays posted.
  [[nodiscard]] ReceiveRequest* find(const Envelope& sent);
  void hold(std::unique_ptr<Unexpected> message);

 private:
  Buckets<ReceiveRequest, base::ListHook> posted_;
  base::IntrusiveList<ReceiveRequest> posted_wildcards_;
  Buckets<Unexpected, BucketHook> unexpected_;
  base::IntrusiveList<Unexpected, ArrivalHook> arrivals_;
  std::uint64_t posts_ = 0;
};

// Defined here to be inlined, because every message uses them.

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
