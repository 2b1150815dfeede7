#include "engine/pt2pt/cancelling.hpp"

#include "engine/packets.hpp"
#include "engine/pt2pt/cookie.hpp"

namespace antiphon::pt2pt {

using base::LaneHeld;
using transport::PacketHeader;
using transport::Payload;

Cancelling::Cancelling(Matching& matching, links::Links& links, transport::Dispatcher& dispatcher)
    : matching_(matching), links_(links) {
  dispatcher.on<&Cancelling::on_cancel>(packets::kCancel, *this);
  dispatcher.on<&Cancelling::on_given_up>(packets::kGivenUp, *this);
}

void Cancelling::cancel(SendRequest& request) {
  links_.send_control(links_.to(request.world_receiver), {.handler = packets::kCancel,
                                                          .context = request.comm().user_space().word(),
                                                          .word = {Cookie<SendRequest>(request).value, 0}});
}

void Cancelling::on_cancel(int source, const PacketHeader& header, Payload, const LaneHeld&) {
  links::Link& asking = links_.to(source);
  if (matching_.give_up(objects::MessageSpace::of_word(header.context), source, header.word[0]))
    links_.send_control(asking, {.handler = packets::kGivenUp, .word = {header.word[0], 0}});
}

void Cancelling::on_given_up(int, const PacketHeader& header, Payload, const LaneHeld&) {
  SendRequest& request = Cookie<SendRequest>(header.word[0]).request();
  request.outcome.cancelled = true;
  request.part_done();
}

}  // namespace antiphon::pt2pt
