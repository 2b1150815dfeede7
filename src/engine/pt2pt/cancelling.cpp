#include "engine/pt2pt/cancelling.hpp"

#include "engine/packets.hpp"

namespace antiphon::pt2pt {

using base::LaneHeld;
using transport::PacketHeader;
using transport::Payload;

Cancelling::Cancelling(Matching& matching, links::Links& links, SendPool& sends, transport::Dispatcher& dispatcher)
    : matching_(matching), links_(links), sends_(sends) {
  dispatcher.on<&Cancelling::on_cancel>(packets::kCancel, *this);
  dispatcher.on<&Cancelling::on_given_up>(packets::kGivenUp, *this);
}

// A request that the receiver does not have to answer cannot be cancelled: its message leaves by itself, or has been
// matched.
void Cancelling::cancel(SendRequest& request) {
  if (request.cookie == 0) return;
  request.is_cancelling = true;
  links_.send_control(
      links_.to(request.world_receiver),
      {.handler = packets::kCancel, .context = request.comm().user_space().word(), .word = {request.cookie, 0}});
}

void Cancelling::on_cancel(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  packet.need_no_payload();
  packet.need(header.word[0] != 0, "it names no message");
  if (matching_.give_up(objects::MessageSpace::of_word(header.context), source, header.word[0]))
    links_.send_control(links_.to(source), {.handler = packets::kGivenUp, .word = {header.word[0], 0}});
}

void Cancelling::on_given_up(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  packet.need_no_payload();
  SendRequest& request = sends_.answered(packet, header.word[0]);
  packet.need(request.is_cancelling && request.awaits != SendRequest::Awaits::last_part,
              "nobody has cancelled that message, or it has been matched");
  sends_.answered_last(request);
  request.outcome.cancelled = true;
  request.part_done();
}

}  // namespace antiphon::pt2pt
