#include "engine/pt2pt/messages.hpp"

namespace antiphon::pt2pt {

using objects::Outcome;
using objects::Ref;

namespace {

// For hang reports.
base::WaitReason reason_of(const Envelope& wanted, const objects::Comm& comm) {
  const int peer = wanted.source < 0 ? wanted.source : comm.world_rank(wanted.source);
  return {comm.name().c_str(), peer, wanted.tag, -1};
}

}  // namespace

Messages::Messages(links::Links& links, transport::Dispatcher& dispatcher, progress::Progress& progress, Clock clock,
                   Matching::Threads threads, const PrepareRequest& prepare, const settings::Values& settings,
                   counters::Counters& counters)
    : links_(links),
      progress_(progress),
      sends_(prepare),
      matching_(threads, prepare, counters),
      eager_(matching_, links, sends_, dispatcher),
      rendezvous_(matching_, links, sends_, dispatcher, progress, std::move(clock), settings, counters),
      cancelling_(matching_, links, sends_, dispatcher) {}

void Messages::send(const Send& send) {
  if (const Ref<SendRequest> request = start_send(send)) progress_.wait(*request);
}

Ref<SendRequest> Messages::start_send(const Send& send) {
  if (send.destination == abi::PROC_NULL) return {};
  links::Link& to = links_.to(send.comm.world_rank(send.destination));
  if (send.bytes <= to.eager_limit()) [[likely]]
    return eager_.start_send(send, to, held_);
  return rendezvous_.start_send(send, to, held_);
}

Ref<SendRequest> Messages::start_send_with_request(const Send& send) {
  Ref<SendRequest> request = start_send(send);
  return request ? request : completed_send(send.comm);
}

Ref<SendRequest> Messages::completed_send(objects::Comm& comm) { return sends_.start_completed(comm); }

Ref<ReceiveRequest> Messages::start_receive(const Receive& receive) {
  if (receive.source == abi::PROC_NULL) [[unlikely]]
    return matching_.receive_from_nobody(receive, held_);
  return Ref<ReceiveRequest>::adopt(matching_.start_receive(receive, &held_));
}

Outcome Messages::receive(const Receive& receive) {
  const Ref<ReceiveRequest> request = start_receive(receive);
  progress_.wait(*request);
  return request->need_success();
}

Outcome Messages::probe(const Envelope& wanted, objects::Comm& comm) {
  Outcome outcome;
  progress_.wait([&] { return probe_now(wanted, &outcome); }, [&] { return reason_of(wanted, comm); });
  return outcome;
}

Ref<MatchedMessage> Messages::match_now(const Envelope& wanted, objects::Comm& comm) {
  return matching_.match_now(wanted, comm, held_);
}

Ref<MatchedMessage> Messages::match(const Envelope& wanted, objects::Comm& comm) {
  Ref<MatchedMessage> message;
  // wait() may call this again after it has returned true; it must not match a second message then.
  progress_.wait([&] { return message || (message = match_now(wanted, comm)); },
                 [&] { return reason_of(wanted, comm); });
  return message;
}

Ref<ReceiveRequest> Messages::start_receive_matched(MatchedMessage& message, const Receive& receive) {
  return matching_.start_receive_matched(message, receive, held_);
}

}  // namespace antiphon::pt2pt
