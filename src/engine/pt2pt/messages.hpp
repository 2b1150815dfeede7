// Point-to-point communication, MPI 5.0, chapter 3, for other engines and the bodies of procedures: the interface
// to Matching, Eager and Rendezvous. Short messages are sent at once (eager), longer ones when the receiver is
// ready (rendezvous); docs/wire.md describes the packets. Belongs to the Engines. Callers hold the lane; eager()
// and matching() lead to what may be called without it.
#pragma once

#include "engine/pt2pt/cancelling.hpp"
#include "engine/pt2pt/eager.hpp"
#include "engine/pt2pt/rendezvous.hpp"

namespace antiphon::pt2pt {

class Messages {
 public:
  Messages(links::Links& links, transport::Dispatcher& dispatcher, progress::Progress& progress, Clock clock,
           Matching::Threads threads, const PrepareRequest& prepare, const settings::Values& settings,
           counters::Counters& counters);

  // Returns when the buffer may be reused (standard) or the receive has begun (synchronous).
  void send(const Send&);
  // Null when the operation was complete at once.
  [[nodiscard]] objects::Ref<SendRequest> start_send(const Send&);
  [[nodiscard]] objects::Ref<SendRequest> start_send_with_request(const Send&);
  // For a send that needs none, but has to have one.
  [[nodiscard]] objects::Ref<SendRequest> completed_send(objects::Comm& comm);

  // Returns how the receive ended; throws what the message's truncation amounts to.
  objects::Outcome receive(const Receive&);
  [[nodiscard]] objects::Ref<ReceiveRequest> start_receive(const Receive&);
  // False if it is too late: a message has come.
  bool cancel(ReceiveRequest& request) { return matching_.cancel(request); }
  // Of one that is not over: asks its receiver.
  void cancel(SendRequest& request) { cancelling_.cancel(request); }

  objects::Outcome probe(const Envelope& wanted, objects::Comm& comm);
  // True, and *outcome filled, if a matching message can be received now.
  bool probe_now(const Envelope& wanted, objects::Outcome* outcome) { return matching_.probe_now(wanted, outcome); }
  // Takes the matching message, so that only start_receive_matched() can have it; if there is one now. Not from
  // MPI_PROC_NULL.
  [[nodiscard]] objects::Ref<MatchedMessage> match(const Envelope& wanted, objects::Comm& comm);
  [[nodiscard]] objects::Ref<MatchedMessage> match_now(const Envelope& wanted, objects::Comm& comm);
  [[nodiscard]] objects::Ref<ReceiveRequest> start_receive_matched(MatchedMessage& message, const Receive& receive);

  // Whether something remains to be done for messages that have begun, besides what waits in links.
  [[nodiscard]] bool has_work() const noexcept { return rendezvous_.has_work(); }

  [[nodiscard]] Eager& eager() { return eager_; }
  [[nodiscard]] Matching& matching() { return matching_; }

 private:
  links::Links& links_;
  progress::Progress& progress_;
  const base::LaneHeld& held_ = base::LaneHeld::vouch();  // by whoever comes through this door
  SendPool sends_;
  Matching matching_;
  Eager eager_;
  Rendezvous rendezvous_;
  Cancelling cancelling_;
};

}  // namespace antiphon::pt2pt
