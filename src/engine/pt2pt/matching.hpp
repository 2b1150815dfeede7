// Matches receives and messages, whichever protocol carries a message: MPI 5.0, 3.5. Starts, cancels and ends
// receives, and probes. Belongs to Messages. Any thread may call it: functions that need the lane take a
// LaneHeld&, and functions that may run without it take a pointer, which is null then.
#pragma once

#include "counters/counters.hpp"
#include "engine/pt2pt/matched.hpp"
#include "engine/pt2pt/section.hpp"

namespace antiphon::pt2pt {

class Matching {
 public:
  enum class Threads { one_at_a_time, many };
  Matching(Threads threads, const PrepareRequest& prepare, counters::Counters& counters)
      : sections_(threads == Threads::many, prepare, counters.unexpected_messages) {}

  [[nodiscard]] Section& section_of(objects::MessageSpace space) const { return sections_.of(space); }

  // Posts a receive, or gives it the message that has come before; the reference is the caller's. Without the lane
  // null says that nothing has happened, since it needs the lane, or memory. Not from MPI_PROC_NULL.
  [[nodiscard]] ReceiveRequest* start_receive(const Receive&, const base::LaneHeld* lane);
  // Its beginning, which calls nothing: null, and nothing has happened, if messages have to be looked at, or a lock
  // taken.
  [[nodiscard]] ReceiveRequest* start_at_once(const Receive&);
  // One that is over.
  [[nodiscard]] objects::Ref<ReceiveRequest> receive_from_nobody(const Receive&, const base::LaneHeld&);
  // Receives what match_now() has taken; the envelope of `receive` is that of the message.
  [[nodiscard]] objects::Ref<ReceiveRequest> start_receive_matched(MatchedMessage&, const Receive&,
                                                                   const base::LaneHeld&);
  // All of its message is where it belongs.
  void finish(ReceiveRequest& request);
  // Ends a receive for which no message has come; false if one has.
  [[nodiscard]] bool cancel(ReceiveRequest& request);

  // Drops a message that nobody has taken, for its sender does not want it to be received; false if it is too late.
  [[nodiscard]] bool give_up(objects::MessageSpace space, int process, std::uint64_t sender_cookie);

  // True, and *outcome filled, if a matching message can be received now.
  [[nodiscard]] bool probe_now(const Envelope& wanted, objects::Outcome* outcome) const;
  // Takes the matching message, if there is one now, so that nobody else can have it. Not from MPI_PROC_NULL.
  [[nodiscard]] objects::Ref<MatchedMessage> match_now(const Envelope& wanted, objects::Comm& comm,
                                                       const base::LaneHeld&);

 private:
  static ReceiveRequest& new_receive(Section&, const Receive&);
  [[nodiscard]] static ReceiveRequest* start_with_care(Section&, const Receive&, const base::LaneHeld* lane);
  static bool is_for_anybody(const Section&, const Receive&, const Unexpected* message);

  Sections sections_;
};

// Defined here because every short message passes through them: in the entry point itself they cost half.

inline ReceiveRequest& Matching::new_receive(Section& section, const Receive& receive) {
  ReceiveRequest& request = section.receives.take();
  request.start(receive.comm);
  request.wanted = receive.wanted();
  request.buffer = static_cast<std::byte*>(receive.buffer);
  request.capacity = receive.capacity;
  if (receive.scattered) [[unlikely]]
    request.set_scattered(receive.scattered);
  return request;
}

inline ReceiveRequest* Matching::start_at_once(const Receive& receive) {
  Section& section = section_of(receive.space);
  if (section.takes_care || section.receives.dry()) [[unlikely]]
    return nullptr;
  ReceiveRequest& request = new_receive(section, receive);
  section.matcher.post(request);
  return &request;
}

inline ReceiveRequest* Matching::start_receive(const Receive& receive, const base::LaneHeld* lane) {
  ReceiveRequest* const request = start_at_once(receive);
  return request ? request : start_with_care(section_of(receive.space), receive, lane);
}

}  // namespace antiphon::pt2pt
