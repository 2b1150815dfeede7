#include "engine/pt2pt/bulk_packets.hpp"

#include "engine/pt2pt/outbound.hpp"

namespace antiphon::pt2pt {

using base::LaneHeld;
using transport::PacketHeader;
using transport::Payload;

BulkPackets::BulkPackets(const Around& around, transport::Dispatcher& dispatcher) : Way(around) {
  dispatcher.on<&BulkPackets::on_clear_to_send>(packets::kClearToSend, *this);
  dispatcher.on<&BulkPackets::on_data>(packets::kData, *this);
}

bool BulkPackets::begin(ReceiveRequest& request, const Announced& message) {
  const links::Cookie receiver = receiving_.add(message.world_source, &request);
  tell(message.world_source, {.handler = packets::kClearToSend, .word = {message.sender, receiver}},
       std::uint64_t{request.expected});
  return true;
}

// The receiver may request fewer bytes than the message has.
void BulkPackets::on_clear_to_send(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  const auto wanted = packet.argument<std::uint64_t>();
  SendRequest& request = announced(packet);
  packet.need(wanted != 0 && wanted <= request.bytes, "it asks for no bytes, or for more than the message has");
  auto out = std::make_unique<OutboundMessage>(request);
  out->first = {.handler = packets::kData, .word = {header.word[1], 0}};
  out->rest = out->first;
  out->remaining = wanted;
  sends_.answered_last(request);
  links_.submit(links_.to(source), std::move(out));
}

void BulkPackets::on_data(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  ReceiveRequest& request = *packet.named(receiving_, header.word[0]);
  packet.need(request.may_append(payload.size()), "it brings no bytes, or more than were asked for");
  request.append(payload);
  if (!request.has_all()) return;
  receiving_.end(header.word[0]);
  end(request);
}

}  // namespace antiphon::pt2pt
