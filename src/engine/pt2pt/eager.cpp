#include "engine/pt2pt/eager.hpp"

#include <algorithm>
#include <new>

#include "engine/pt2pt/outbound.hpp"

namespace antiphon::pt2pt {

namespace {
constexpr const char* kTooMuch = "it brings no bytes, or more than the message has";
}

using base::LaneHeld;
using links::Link;
using objects::Ref;
using transport::PacketHeader;
using transport::Payload;

// An eager message for which no receive was posted when it arrived.
class Eager::Kept final : public Unexpected {
 public:
  Kept(Eager& engine, int source, const PacketHeader& header, Payload payload)
      : Unexpected(envelope_of(header), source, header.word[0]),
        engine_(engine),
        acknowledge_((header.flags & kWantsAcknowledge) != 0),
        is_known_(!engine.links_.is_remote(source)),
        sender_cookie_(header.word[1]) {
    bytes_.reserve(std::min(total, kMostTrusted));
    append(payload);
  }

  void append(Payload payload) {
    bytes_.insert(bytes_.end(), payload.begin(), payload.end());
    is_whole_ = is_complete() && !acknowledge_ && is_known_;
  }
  [[nodiscard]] std::size_t missing() const { return total - bytes_.size(); }
  [[nodiscard]] bool is_complete() const { return missing() == 0; }
  [[nodiscard]] std::uint64_t sender_cookie() const override {
    return acknowledge_ && is_complete() ? sender_cookie_ : 0;
  }
  void give_to(ReceiveRequest& request, const LaneHeld&) override {
    engine_.matching_.need_member(request, envelope, {world_source, {.handler = packets::kEager}, {}});
    if (acknowledge_) engine_.acknowledge(world_source, sender_cookie_);
    request.append(bytes_);
    if (is_complete()) return engine_.matching_.finish(request);
    engine_.arriving_from(world_source) = {.request = &request};
  }

 private:
  // A message may say that it is longer than it will ever be, so only this much memory is allocated before it comes.
  static constexpr std::size_t kMostTrusted = std::size_t{256} << 10;

  Eager& engine_;
  bool acknowledge_;  // a synchronous sender waits for the match
  bool is_known_;     // that the sender is the one it says; otherwise the match shows it
  std::uint64_t sender_cookie_;
};

Eager::Eager(Matching& matching, links::Links& links, SendPool& sends, transport::Dispatcher& dispatcher)
    : matching_(matching),
      links_(links),
      sends_(sends),
      takes_care_(links.any_remote() || matching.section_of({}).shared()) {
  dispatcher.on<&Eager::on_eager>(packets::kEager, *this);
  dispatcher.on<&Eager::on_more>(packets::kMore, *this);
  dispatcher.on<&Eager::on_acknowledge>(packets::kAcknowledge, *this);
}

Eager::Arriving& Eager::arriving_from(int process) {
  const auto index = static_cast<std::size_t>(process);
  if (arriving_.size() <= index) arriving_.resize(index + 1);
  return arriving_[index];
}

// ---- sending

// Sends packets as long as the channel accepts them; true if the whole message has been sent. *sent is the number of
// bytes sent; if it stays 0, nothing has been sent.
bool Eager::send_now(const Send& send, Link& to, std::size_t* sent) {
  PacketHeader header = header_of(send);
  do {
    const std::size_t bytes = std::min(send.bytes - *sent, to.max_payload());
    if (!data::send_part(to.channel(), header, send.data(), send.scattered, *sent, bytes)) [[unlikely]]
      return false;
    *sent += bytes;
    header = {.handler = packets::kMore};
  } while (*sent != send.bytes);
  return true;
}

Ref<SendRequest> Eager::start_rest(const Send& send, Link& to, std::size_t sent) {
  Ref<SendRequest> request = sends_.start(send, to.process());
  auto out = std::make_unique<OutboundMessage>(*request);
  out->first = header_of(send);
  out->rest = {.handler = packets::kMore};
  out->started = sent != 0;
  out->sent = sent;
  out->remaining = send.bytes - sent;
  if (send.mode == Mode::synchronous) {
    out->first.flags = kWantsAcknowledge;
    out->first.word[1] = sends_.await(*request, SendRequest::Awaits::acknowledgement);
    request->parts_left = 2;
  }
  links_.submit(to, std::move(out));
  return request;
}

// The receiver has matched a synchronous message, or has fetched a long one.
void Eager::on_acknowledge(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  packet.need_no_payload();
  SendRequest& request = sends_.answered(packet, header.word[0]);
  sends_.answered_last(request);
  request.part_done();
}

// ---- receiving

void Eager::acknowledge(int process, std::uint64_t sender_cookie) {
  links_.send_control(links_.to(process), {.handler = packets::kAcknowledge, .word = {sender_cookie, 0}});
}

// The fast path for short messages from this node in a process in which one thread at a time calls MPI. It takes a
// message that is complete, fits, wants no acknowledgement and matches the first receive in its bucket. It does the
// work of deliver() without any function call, in about half the time.
[[gnu::always_inline]] inline bool Eager::deliver_at_once(int source, const PacketHeader& header, Payload payload,
                                                          const LaneHeld* lane) {
  Section& section = matching_.section_of(envelope_of(header).space);
  ReceiveRequest* const request = section.matcher.find_at_once(envelope_of(header));
  const std::size_t bytes = payload.size();
  if (!request || bytes > data::kMostShort || bytes != header.word[0] || bytes > request->capacity ||
      header.flags != 0 || request->is_unusual()) [[unlikely]]
    return deliver(source, header, payload, lane);
  section.matcher.withdraw(*request);
  request->outcome.source = header.source;
  request->outcome.tag = header.tag;
  request->outcome.bytes = static_cast<std::int64_t>(bytes);
  data::unpack_short(request->buffer, payload.data(), bytes);
  request->complete();
  return true;
}

bool Eager::on_eager(int source, const PacketHeader& header, Payload payload, const LaneHeld* lane) {
  if (takes_care_) [[unlikely]]
    return on_eager_with_care(source, header, payload, lane);
  return deliver_at_once(source, header, payload, lane);
}

bool Eager::on_eager_with_care(int source, const PacketHeader& header, Payload payload, const LaneHeld* lane) {
  const bool shared = matching_.section_of(envelope_of(header).space).shared();
  if (shared || links_.is_remote(source)) return deliver(source, header, payload, lane);
  return deliver_at_once(source, header, payload, lane);
}

// Returns false, without any effect, if the caller does not hold the lane and the packet needs it: to send an
// acknowledgement, to go on with a message of several packets, to complete a receive that is scattered, freed by the
// user or truncated, or because memory has run out.
bool Eager::deliver(int source, const PacketHeader& header, Payload payload, const LaneHeld* lane) try {
  const packets::Incoming packet{source, header, payload};
  const Envelope sent = envelope_of(header);
  const std::size_t total = header.word[0];
  const bool is_whole = payload.size() == total, wants_acknowledge = (header.flags & kWantsAcknowledge) != 0;
  if (!lane && (!is_whole || wants_acknowledge)) return false;
  packet.need_flags(kWantsAcknowledge);
  need_message(packet, sent);
  packet.need(payload.size() <= total, "it brings more bytes than the message has");
  packet.need(is_whole || !arriving_from(source).under_way(), "another message has not arrived completely");
  Section& section = matching_.section_of(sent.space);
  const std::lock_guard held(section.lock());
  ReceiveRequest* const request = section.matcher.find(sent);
  if (!request) {
    keep(section, source, header, payload);
    return true;
  }
  if (!lane && (request->is_unusual() || total > request->capacity)) return false;
  if (links_.is_remote(source)) matching_.need_member(*request, sent, packet);
  Arriving* const arriving = is_whole ? nullptr : &arriving_from(source);
  request->begin(sent, total);
  request->append(payload);
  if (wants_acknowledge) acknowledge(source, header.word[1]);
  section.matcher.withdraw(*request);
  if (is_whole)
    request->finish();
  else
    *arriving = {.request = request};
  return true;
} catch (const std::bad_alloc&) {
  if (lane) throw;
  return false;
}

void Eager::keep(Section& section, int source, const PacketHeader& header, Payload payload) {
  auto message = std::make_unique<Kept>(*this, source, header, payload);
  if (!message->is_complete()) arriving_from(source) = {.kept = message.get()};
  section.hold(std::move(message));
}

void Eager::on_more(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  Arriving& arriving = arriving_from(source);
  packet.need(arriving.under_way(), "no message waits for more");
  if (ReceiveRequest* const request = arriving.request) {
    packet.need(request->may_append(payload.size()), kTooMuch);
    request->append(payload);
    if (!request->has_all()) return;
    arriving = {};
    return matching_.finish(*request);
  }
  Kept& message = *arriving.kept;
  packet.need(!payload.empty() && payload.size() <= message.missing(), kTooMuch);
  const std::lock_guard held(matching_.section_of(message.envelope.space).lock());
  message.append(payload);
  if (message.is_complete()) arriving = {};
}

}  // namespace antiphon::pt2pt
