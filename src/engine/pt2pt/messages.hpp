// Point-to-point communication, MPI 5.0, chapter 3, for other engines and the bodies of procedures: the interface to
// Matching, Eager and Rendezvous. Short messages are sent at once (eager), longer ones when the receiver is ready
// (rendezvous); docs/wire.md describes the packets. Belongs to the Engines. Callers hold the lane; eager() and
// matching() give access to functions that may be called without it.
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
  // start_send() returns null if the send is complete already; start_send_with_request() never does.
  [[nodiscard]] objects::Ref<SendRequest> start_send(const Send&);
  [[nodiscard]] objects::Ref<SendRequest> start_send_with_request(const Send&);
  // A completed request, for a send that needs none but must return one.
  [[nodiscard]] objects::Ref<SendRequest> completed_send(objects::Comm& comm);

  // Returns the outcome of the receive; throws if the message was truncated.
  objects::Outcome receive(const Receive&);
  [[nodiscard]] objects::Ref<ReceiveRequest> start_receive(const Receive&);
  // Returns false if a message has been matched already.
  bool cancel(ReceiveRequest& request) { return matching_.cancel(request); }
  // The send must not be complete. Asks the receiver to drop the message.
  void cancel(SendRequest& request) { cancelling_.cancel(request); }

  objects::Outcome probe(const Envelope& wanted, objects::Comm& comm);
  // True, and *outcome filled, if a matching message can be received now.
  bool probe_now(const Envelope& wanted, objects::Outcome* outcome) { return matching_.probe_now(wanted, outcome); }
  // Removes and returns a matching message, so that only start_receive_matched() can receive it: match() waits for
  // one, match_now() returns null if there is none. The source must not be MPI_PROC_NULL.
  [[nodiscard]] objects::Ref<MatchedMessage> match(const Envelope& wanted, objects::Comm& comm);
  [[nodiscard]] objects::Ref<MatchedMessage> match_now(const Envelope& wanted, objects::Comm& comm);
  [[nodiscard]] objects::Ref<ReceiveRequest> start_receive_matched(MatchedMessage& message, const Receive& receive);

  // Whether messages that have begun still need work, apart from what links have queued.
  [[nodiscard]] bool has_work() const noexcept { return rendezvous_.has_work(); }

  [[nodiscard]] Eager& eager() { return eager_; }
  [[nodiscard]] Matching& matching() { return matching_; }

 private:
  links::Links& links_;
  progress::Progress& progress_;
  const base::LaneHeld& held_ = base::LaneHeld::kOnly;  // every caller of this class holds the lane
  SendPool sends_;
  Matching matching_;
  Eager eager_;
  Rendezvous rendezvous_;
  Cancelling cancelling_;
};

}  // namespace antiphon::pt2pt
