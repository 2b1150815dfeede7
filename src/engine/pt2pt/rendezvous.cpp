#include "engine/pt2pt/rendezvous.hpp"

#include <algorithm>

namespace antiphon::pt2pt {

using base::LaneHeld;
using objects::Ref;
using transport::PacketHeader;
using transport::Payload;

namespace {

// Flags in the packet that announces a message.
constexpr std::uint8_t kTellsLayout = 2;
constexpr unsigned kAdvice = 0xf0,
                   kAdviceShift = 4;  // above it: 1 + the method that the receiver should use; 0: it chooses

std::uint8_t flags_with(std::optional<WayName> advice) {
  return advice ? static_cast<std::uint8_t>((static_cast<unsigned>(*advice) + 1) << kAdviceShift) : std::uint8_t{0};
}
std::optional<WayName> advice_in(const packets::Incoming& packet) {
  const unsigned advice = packet.header.flags >> kAdviceShift;
  packet.need(advice <= kWays, "it advises a method that does not exist");
  return advice == 0 ? std::nullopt : std::optional(static_cast<WayName>(advice - 1));
}

// The address and the layout of a scattered message, for a receiver that can copy it from there.
struct ScatteredAddress {
  std::uint64_t buffer;
  layout::Regular layout;
};

using Shape = Experiences::Shape;

WayName name_of(settings::BulkWay fixed) {
  switch (fixed) {
    case settings::BulkWay::pipes:
      return WayName::pipes;
    case settings::BulkWay::streamed_pipes:
      return WayName::streamed_pipes;
    case settings::BulkWay::direct:
      return WayName::direct;
    default:
      return WayName::packets;
  }
}

}  // namespace

// An announced message for which no receive was posted when the announcement arrived.
class Rendezvous::Waiting final : public Unexpected {
 public:
  Waiting(Rendezvous& engine, const Envelope& sent, std::size_t bytes, Announced announced)
      : Unexpected(sent, announced.world_source, bytes), engine_(engine), announced_(std::move(announced)) {}
  [[nodiscard]] std::uint64_t sender_cookie() const override { return announced_.sender; }
  void give_to(ReceiveRequest& request, const LaneHeld&) override {
    engine_.matching_.need_member(request, envelope, {world_source, {.handler = packets::kRequestToSend}, {}});
    engine_.fetch(request, announced_);
  }

 private:
  Rendezvous& engine_;
  Announced announced_;
};

Rendezvous::Rendezvous(Matching& matching, links::Links& links, SendPool& sends, transport::Dispatcher& dispatcher,
                       progress::Progress& progress, Clock clock, const settings::Values& settings,
                       counters::Counters& counters)
    : matching_(matching),
      links_(links),
      sends_(sends),
      counters_(counters),
      clock_(std::move(clock)),
      fixed_(settings.bulk_way),
      pipes_({matching, links, sends, clock_}, dispatcher, progress, settings),
      direct_({matching, links, sends, clock_}, dispatcher, progress, settings, counters),
      packets_({matching, links, sends, clock_}, dispatcher) {
  dispatcher.on<&Rendezvous::on_request_to_send>(packets::kRequestToSend, *this);
}

Ref<SendRequest> Rendezvous::start_send(const Send& send, links::Link& to, const LaneHeld&) {
  counters_.long_messages_sent.add();
  Ref<SendRequest> request = sends_.start(send, to.process());
  PacketHeader header{.handler = packets::kRequestToSend,
                      .flags = flags_with(advice_for(send, to)),
                      .context = send.space.word(),
                      .source = send.comm.rank(),
                      .tag = send.tag,
                      .word = {send.bytes, sends_.await(*request, SendRequest::Awaits::fetching)}};
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(send.buffer);
  if (!send.scattered) {
    links_.send_control(to, header, address);
  } else if (const std::optional<layout::Regular> layout = direct_.layout_for_receiver(*request)) {
    header.flags |= kTellsLayout;
    links_.send_control(to, header, ScatteredAddress{address, *layout});
  } else {
    links_.send_control(to, header, std::uint64_t{0});
  }
  return request;
}

// Of two processes, the one with the lower rank chooses the method for both directions.
std::optional<WayName> Rendezvous::advice_for(const Send& send, const links::Link& to) {
  if (send.comm.rank() >= send.destination) return {};
  return experiences_.advice(to.process(), send.bytes, send.scattered ? Shape::scattered : Shape::one_piece);
}

void Rendezvous::on_request_to_send(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(kTellsLayout | kAdvice);
  const Envelope sent = envelope_of(header);
  need_message(packet, sent);
  const std::size_t bytes = header.word[0];
  Announced announced{source, header.word[1], packet.beginning<std::uint64_t>(), advice_in(packet)};
  if ((header.flags & kTellsLayout) != 0) {
    const layout::Regular layout = packet.argument<ScatteredAddress>().layout;
    packet.need(layout.bytes() == bytes, "its layout describes another number of bytes than the message has");
    announced.scattered = std::make_shared<const data::Elsewhere>(layout);
  } else {
    packet.need(payload.size() == sizeof(std::uint64_t), "its payload is longer than an address");
  }
  Section& section = matching_.section_of(sent.space);
  std::unique_lock held(section.lock());
  ReceiveRequest* const request = section.matcher.find(sent);
  if (!request) return section.hold(std::make_unique<Waiting>(*this, sent, bytes, std::move(announced)));
  Matching::need_member(*request, sent, packet);
  section.matcher.withdraw(*request);
  held.unlock();
  request->begin(sent, bytes);
  fetch(*request, announced);
}

// Moves as many bytes as the message has, but no more than the buffer holds.
void Rendezvous::fetch(ReceiveRequest& request, const Announced& message) {
  request.expected = std::min(request.expected, request.capacity);
  request.experience = nullptr;
  if (request.expected == 0) return packets_.end(request, message);
  if (fixed_ != settings::BulkWay::automatic) {
    if (!fetch_on(name_of(fixed_), request, message)) (void)fetch_on(WayName::packets, request, message);
    return;
  }
  // If this process cannot access the sender's memory, packets are the only method.
  const bool near = links_.to(message.world_source).channel().peer_memory() != nullptr;
  if (!near) return (void)fetch_on(WayName::packets, request, message);
  if (direct_.finds_mapped(message, request.expected) && fetch_on(WayName::direct, request, message)) return;
  if (message.advice && fetch_on(*message.advice, request, message)) return;
  const bool scattered = request.scattered() || message.scattered || message.address == 0;
  request.experience =
      &experiences_.of(message.world_source, request.expected, scattered ? Shape::scattered : Shape::one_piece);
  unsigned refused = 0;
  for (WayName way; way = request.experience->pick(refused), !fetch_on(way, request, message);)
    refused |= 1u << static_cast<unsigned>(way);
}

bool Rendezvous::fetch_on(WayName name, ReceiveRequest& request, const Announced& message) {
  const auto& [way, taken] = ways_[static_cast<std::size_t>(name)];
  Experience* const experience = request.experience;
  request.way = name;
  if (experience) experience->begun(name, clock_);
  if (way.begin(request, message)) {
    taken.add();
    return true;
  }
  if (experience) experience->refused(name);
  return false;
}

}  // namespace antiphon::pt2pt
