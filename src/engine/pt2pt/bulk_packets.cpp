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
  const Cookie<ReceiveRequest> receiver(request);
  tell(message.world_source, {.handler = packets::kClearToSend, .word = {message.sender.value, receiver.value}},
       std::uint64_t{request.expected});
  return true;
}

// The receiver may request fewer bytes than the message has.
void BulkPackets::on_clear_to_send(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  auto out = std::make_unique<OutboundMessage>(Cookie<SendRequest>(header.word[0]).request());
  out->first = {.handler = packets::kData, .word = {header.word[1], 0}};
  out->rest = out->first;
  out->remaining = links::argument_of<std::uint64_t>(payload);
  links_.submit(links_.to(source), std::move(out));
}

void BulkPackets::on_data(int, const PacketHeader& header, Payload payload, const LaneHeld&) {
  ReceiveRequest& request = Cookie<ReceiveRequest>(header.word[0]).request();
  request.append(payload);
  if (request.has_all()) end(request);
}

}  // namespace antiphon::pt2pt
