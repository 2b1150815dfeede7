#include "engine/pt2pt/matching.hpp"

namespace antiphon::pt2pt {

using base::LaneHeld;
using objects::Ref;

// Whether a receive can be started and completed without the lane: that needs no memory and no reference to a
// datatype, and its message, if there is one, is complete, fits, and needs no acknowledgement.
bool Matching::is_for_anybody(const Section& section, const Receive& receive, const Unexpected* message) {
  return !section.receives.dry() && !receive.scattered &&
         (!message || (message->whole() && message->total <= receive.capacity));
}

ReceiveRequest* Matching::start_with_care(Section& section, const Receive& receive, const LaneHeld* lane) {
  std::unique_lock held(section.lock());
  Unexpected* const found = section.matcher.peek(receive.wanted());
  if (!lane && !is_for_anybody(section, receive, found)) return nullptr;
  ReceiveRequest& request = new_receive(section, receive);
  if (!found) {
    section.matcher.post(request);
    return &request;
  }
  const std::unique_ptr<Unexpected> message = section.take(*found);
  request.begin(message->envelope, message->total);
  if (const std::vector<std::byte>* const all = message->whole()) {
    request.append(*all);
    request.finish();
    return &request;
  }
  held.unlock();
  message->give_to(request, *lane);
  return &request;
}

Ref<ReceiveRequest> Matching::receive_from_nobody(const Receive& receive, const LaneHeld&) {
  Section& section = section_of(receive.space);
  const std::lock_guard held(section.lock());
  ReceiveRequest& request = new_receive(section, receive);
  request.outcome = kFromNobody;
  request.complete();
  return Ref<ReceiveRequest>::adopt(&request);
}

Ref<ReceiveRequest> Matching::start_receive_matched(MatchedMessage& matched, const Receive& receive,
                                                    const LaneHeld& lane) {
  Section& section = section_of(receive.space);
  std::unique_lock held(section.lock());
  ReceiveRequest& request = new_receive(section, receive);
  const std::unique_ptr<Unexpected> message = matched.take();
  request.begin(message->envelope, message->total);
  if (const std::vector<std::byte>* const all = message->whole()) {
    request.append(*all);
    request.finish();
  } else {
    held.unlock();
    message->give_to(request, lane);
  }
  return Ref<ReceiveRequest>::adopt(&request);
}

void Matching::finish(ReceiveRequest& request) {
  const std::lock_guard held(section_of(request.wanted.space).lock());
  request.finish();
}

bool Matching::cancel(ReceiveRequest& request) {
  Section& section = section_of(request.wanted.space);
  const std::lock_guard held(section.lock());
  if (!request.linked()) return false;
  section.matcher.withdraw(request);
  request.outcome = {.cancelled = true};
  request.finish();
  return true;
}

bool Matching::give_up(objects::MessageSpace space, int process, std::uint64_t sender_cookie) {
  Section& section = section_of(space);
  const std::lock_guard held(section.lock());
  Unexpected* const message = section.matcher.find_sent(process, sender_cookie);
  if (!message) return false;
  (void)section.take(*message);
  return true;
}

bool Matching::probe_now(const Envelope& wanted, objects::Outcome* outcome) const {
  if (wanted.source == abi::PROC_NULL) {
    *outcome = kFromNobody;
    return true;
  }
  Section& section = section_of(wanted.space);
  const std::lock_guard held(section.lock());
  const Unexpected* message = section.matcher.peek(wanted);
  if (!message) return false;
  *outcome = message->outcome();
  return true;
}

Ref<MatchedMessage> Matching::match_now(const Envelope& wanted, objects::Comm& comm, const LaneHeld&) {
  Section& section = section_of(wanted.space);
  const std::lock_guard held(section.lock());
  Unexpected* const message = section.matcher.peek(wanted);
  if (!message) return {};
  return Ref<MatchedMessage>::adopt(new MatchedMessage(comm, section.take(*message)));
}

}  // namespace antiphon::pt2pt
