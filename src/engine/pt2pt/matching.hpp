// Matches receives and messages of all protocols: MPI 5.0, 3.5. Starts, cancels and completes receives, and probes.
// Belongs to Messages. Any thread may call it: functions that need the lane take a LaneHeld&, and functions that may
// run without it take a pointer, which is null then.
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

  // Posts a receive, or starts it with an unexpected message; the caller owns the returned reference. If the caller
  // does not hold the lane, null means that nothing has happened, because the receive needs the lane or memory. The
  // source must not be MPI_PROC_NULL.
  [[nodiscard]] ReceiveRequest* start_receive(const Receive&, const base::LaneHeld* lane);
  // The inlined part of start_receive(). Returns null, without any effect, if unexpected messages must be searched, a
  // lock taken, or memory allocated.
  [[nodiscard]] ReceiveRequest* start_at_once(const Receive&);
  // A completed receive from MPI_PROC_NULL.
  [[nodiscard]] objects::Ref<ReceiveRequest> receive_from_nobody(const Receive&, const base::LaneHeld&);
  // Receives the message that match_now() has returned; `receive` has its envelope.
  [[nodiscard]] objects::Ref<ReceiveRequest> start_receive_matched(MatchedMessage&, const Receive&,
                                                                   const base::LaneHeld&);
  // Completes a receive: all bytes of its message are in the buffer.
  void finish(ReceiveRequest& request);
  // Cancels a receive that has not been matched; false if it has been.
  [[nodiscard]] bool cancel(ReceiveRequest& request);

  // Refuses a message of another process than the one that has its source's rank in the receive's communicator.
  static void need_member(const ReceiveRequest& request, const Envelope& sent, const packets::Incoming& packet) {
    const objects::Comm& comm = request.comm();
    packet.need(sent.source < comm.peers() && comm.world_rank(sent.source) == packet.source,
                "its source is the rank of another process, or of none");
  }

  // Drops an unexpected message that its sender has cancelled; false if it has been matched already.
  [[nodiscard]] bool give_up(objects::MessageSpace space, int process, std::uint64_t sender_cookie);

  // True, and *outcome filled, if a matching message can be received now.
  [[nodiscard]] bool probe_now(const Envelope& wanted, objects::Outcome* outcome) const;
  // Removes and returns a matching message, if there is one now, so that no other receive can match it. The source
  // must not be MPI_PROC_NULL.
  [[nodiscard]] objects::Ref<MatchedMessage> match_now(const Envelope& wanted, objects::Comm& comm,
                                                       const base::LaneHeld&);

 private:
  static ReceiveRequest& new_receive(Section&, const Receive&);
  [[nodiscard]] static ReceiveRequest* start_with_care(Section&, const Receive&, const base::LaneHeld* lane);
  static bool is_for_anybody(const Section&, const Receive&, const Unexpected* message);

  Sections sections_;
};

// Defined here because every short message uses them; inlined into the entry point they take half the time.

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
