#include "engine/pt2pt/pt2pt.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "base/error.hpp"
#include "engine/pt2pt/combined.hpp"

namespace antiphon::pt2pt {

using objects::Outcome;
using objects::Ref;
using transport::PacketHeader;
using transport::Payload;

namespace {

// A request as the other side quotes it back to us.
std::uint64_t cookie(const void* request) { return reinterpret_cast<std::uintptr_t>(request); }
template <class Request>
Request& from_cookie(std::uint64_t value) {
  return *reinterpret_cast<Request*>(static_cast<std::uintptr_t>(value));
}

// Bytes of a block. Shorter ones are packed and unpacked faster by two than by the receiver alone.
constexpr std::int64_t kLeastDirectBlock = 64;

constexpr Outcome kFromNobody{.source = abi::PROC_NULL, .tag = abi::ANY_TAG};

// What send_control() was given.
template <class Argument>
Argument argument_of(Payload payload) {
  Argument argument{};
  std::memcpy(&argument, payload.data(), sizeof argument);
  return argument;
}

// Where a scattered message is, for a receiver that can copy from there.
struct ScatteredAddress {
  std::uint64_t buffer;
  layout::Regular layout;
};

// An offer to a sender that has to know how the receive buffer is scattered.
struct ScatteredOffer {
  DirectCopies::Offer offer;
  layout::Regular layout;
};

// What tells a receiver where the bytes of a message lie; nothing, if that would be of no use: it copies long runs
// from everywhere, others only from memory that it has mapped.
std::optional<layout::Regular> layout_for_receiver(const Scattered& message, const std::byte* buffer,
                                                   const DirectCopies::Peer& peer) {
  if (!peer.memory || !peer.tells_layouts) return {};
  const std::optional<layout::Regular> layout = in_few_words(message);
  if (!layout) return {};
  if (static_cast<std::size_t>(layout->block) >= peer.least_run) return layout;
  if (layout->block < kLeastDirectBlock) return {};
  const auto span = static_cast<std::size_t>(layout->high() - layout->low());
  return peer.memory->is_mapped_by_peer(buffer + layout->low(), span) ? layout : std::nullopt;
}

int world_peer(const objects::Comm& comm, int rank) { return rank < 0 ? rank : comm.world_rank(rank); }

}  // namespace

PointToPoint::PointToPoint(int size, Connect connect, transport::Dispatcher& dispatcher, progress::Progress& progress,
                           Clock clock, transport::Dispatcher* beside)
    : connect_(std::move(connect)),
      sections_(beside != nullptr),
      progress_(progress),
      clock_(std::move(clock)),
      peers_(std::make_unique<std::atomic<Peer*>[]>(static_cast<std::size_t>(size))) {
  if (beside) {
    beside->on<&PointToPoint::on_eager_beside>(kEager, *this);
    dispatcher.on<&PointToPoint::on_eager_to_section>(kEager, *this);
  } else {
    dispatcher.on<&PointToPoint::on_eager>(kEager, *this);
  }
  dispatcher.on<&PointToPoint::on_more>(kMore, *this);
  dispatcher.on<&PointToPoint::on_request_to_send>(kRequestToSend, *this);
  dispatcher.on<&PointToPoint::on_clear_to_send>(kClearToSend, *this);
  dispatcher.on<&PointToPoint::on_data>(kData, *this);
  dispatcher.on<&PointToPoint::on_acknowledge>(kAcknowledge, *this);
  dispatcher.on<&PointToPoint::on_offer_work>(kOfferWork, *this);
  dispatcher.on<&PointToPoint::on_copied>(kCopied, *this);
  dispatcher.on<&PointToPoint::on_part_left>(kPartLeft, *this);
  progress_.add(*this);
}

PointToPoint::~PointToPoint() {
  for (const std::unique_ptr<Peer>& peer : connected_)
    while (!peer->queue.empty()) {
      std::unique_ptr<Outbound> out(&peer->queue.front());
      out->unlink();
    }
}

PointToPoint::Peer& PointToPoint::meet(int world_rank) {
  auto slot = std::make_unique<Peer>();
  slot->channel = connect_(world_rank);
  slot->max_payload = slot->channel->capabilities().max_payload;
  slot->eager_limit = slot->channel->capabilities().eager_limit;
  slot->takes_many_senders = slot->channel->capabilities().many_senders;
  slot->open();
  slot->direct.memory = slot->channel->peer_memory();
  slot->direct.least_part = slot->channel->capabilities().least_part;
  slot->direct.least_run = slot->channel->capabilities().least_run;
  slot->direct.tells_layouts = slot->max_payload >= sizeof(ScatteredOffer);
  static_assert(sizeof(ScatteredOffer) >= sizeof(ScatteredAddress));
  peers_[static_cast<std::size_t>(world_rank)].store(slot.get(), std::memory_order_release);
  return *connected_.emplace_back(std::move(slot));
}

// ---- sending
// -------------------------------------------------------------------------------------------------------

// Eager packets for as long as the channel takes them; true if that was all of the message. *sent: the bytes gone; a
// message of which none have gone has not begun.
bool PointToPoint::send_now(const Send& send, Peer& to, std::size_t* sent) {
  PacketHeader header{.handler = kEager, .context = send.context, .source = send.comm.rank(), .tag = send.tag};
  header.word[0] = send.bytes;
  const auto* data = static_cast<const std::byte*>(send.buffer);
  do {
    const std::size_t bytes = std::min(send.bytes - *sent, to.max_payload);
    if (!send_part(*to.channel, header, data, send.scattered, *sent, bytes)) [[unlikely]]
      return false;
    *sent += bytes;
    header = {.handler = kMore};
  } while (*sent != send.bytes);
  return true;
}

// Loopback takes one sender at a time: what a process sends to itself goes by the lane.
bool PointToPoint::try_short_send_beside(const Send& send) noexcept {
  const Peer* to = find_peer(send.comm.world_rank(send.destination));
  return to && to->takes_many_senders && try_short_send(send);
}

void PointToPoint::send(const Send& send) {
  if (const Ref<SendRequest> request = start_send(send)) wait(*request);
}

Ref<SendRequest> PointToPoint::start_send(const Send& send) {
  if (send.destination == abi::PROC_NULL) return {};
  Peer& to = peer(send.comm.world_rank(send.destination));
  std::size_t sent = 0;
  const bool may_go = send.bytes <= to.eager_limit && send.mode == Mode::standard && to.queue.empty();
  if (may_go && send_now(send, to, &sent)) [[likely]]
    return {};
  return start_rest(send, to, sent);
}

Ref<SendRequest> PointToPoint::start_send_with_request(const Send& send) {
  Ref<SendRequest> request = start_send(send);
  return request ? request : completed_send(send.comm);
}

Ref<SendRequest> PointToPoint::completed_send(objects::Comm& comm) {
  SendRequest& over = sends_.take();
  over.start(comm, 1);
  over.complete();
  return Ref<SendRequest>::adopt(&over);
}

// What could not go at once, with a request that says when it has.
Ref<SendRequest> PointToPoint::start_rest(const Send& send, Peer& to, std::size_t sent) {
  auto request = Ref<SendRequest>::adopt(&sends_.take());
  request->start(send.comm, 2);  // the caller's reference, and the engine's until part_done() has seen the last part
  request->parts_left = 1;
  request->world_receiver = send.comm.world_rank(send.destination);
  request->tag = send.tag;
  request->data = static_cast<const std::byte*>(send.buffer);
  request->bytes = send.bytes;
  if (send.scattered) request->set_scattered(send.scattered);

  if (send.bytes > to.eager_limit) {  // the end of the transfer completes the request
    announce(send, to, *request);
    return request;
  }
  auto out = std::make_unique<Outbound>();
  out->first = {.handler = kEager, .context = send.context, .source = send.comm.rank(), .tag = send.tag};
  out->first.word[0] = send.bytes;
  out->first.word[1] = cookie(request.get());
  out->rest = {.handler = kMore};
  out->started = sent != 0;
  out->data = request->data;
  out->scattered = send.scattered;
  out->sent = sent;
  out->remaining = send.bytes - sent;
  out->request = request.get();
  if (send.mode == Mode::synchronous) {
    out->first.flags = kWantsAcknowledge;
    request->parts_left = 2;
  }
  submit(to, std::move(out));
  return request;
}

void PointToPoint::announce(const Send& send, Peer& to, const SendRequest& request) {
  PacketHeader header{
      .handler = kRequestToSend, .context = send.context, .source = send.comm.rank(), .tag = send.tag};
  header.word[0] = send.bytes;
  header.word[1] = cookie(&request);
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(send.buffer);
  if (!send.scattered) return send_control(to, header, address);
  const std::optional<layout::Regular> layout = layout_for_receiver(send.scattered, request.data, to.direct);
  if (!layout) return send_control(to, header, std::uint64_t{0});
  header.flags = kTellsLayout;
  send_control(to, header, ScatteredAddress{address, *layout});
}

void PointToPoint::submit(Peer& to, std::unique_ptr<Outbound> out) {
  if (to.queue.empty() && out->advance(*to.channel, to.max_payload)) {
    if (out->request) part_done(*out->request);
    return;
  }
  to.enqueue(*out.release());
  ++queued_;
  has_begun();
}

template <class Argument>
void PointToPoint::send_control(Peer& to, const PacketHeader& header, const Argument& argument) {
  const Payload payload(reinterpret_cast<const std::byte*>(&argument), sizeof argument);
  if (to.queue.empty() && to.channel->try_send(header, payload) == transport::SendStatus::sent) [[likely]]
    return;
  auto out = std::make_unique<Outbound>();
  static_assert(sizeof argument <= sizeof out->inline_data);
  out->first = header;
  std::memcpy(out->inline_data.data(), &argument, sizeof argument);
  out->data = out->inline_data.data();
  out->remaining = sizeof argument;
  submit(to, std::move(out));
}

bool PointToPoint::push() {
  bool moved = direct_.push();
  for (const std::unique_ptr<Peer>& to : connected_)
    while (!to->queue.empty()) {
      Outbound& head = to->queue.front();
      const std::size_t before = head.remaining;
      const bool gone = head.advance(*to->channel, to->max_payload);
      moved |= gone || head.remaining != before;
      if (!gone) break;
      std::unique_ptr<Outbound> out(&head);
      to->dequeue(*out);
      --queued_;
      if (out->request) part_done(*out->request);
    }
  return moved;
}

void PointToPoint::part_done(SendRequest& request) {
  if (--request.parts_left != 0) return;
  request.complete();
  if (request.release()) request.retire();
}

void PointToPoint::on_acknowledge(int, const PacketHeader& header, Payload) {
  part_done(from_cookie<SendRequest>(header.word[0]));
}

void PointToPoint::on_clear_to_send(int source, const PacketHeader& header, Payload payload) {
  SendRequest& request = from_cookie<SendRequest>(header.word[0]);
  auto out = std::make_unique<Outbound>();
  out->first = {.handler = kData};
  out->first.word[0] = header.word[1];
  out->rest = out->first;
  out->data = request.data;
  out->scattered = request.scattered();
  out->remaining = argument_of<std::uint64_t>(payload);  // fewer than we have if the receiver's buffer is shorter
  out->request = &request;
  submit(peer(source), std::move(out));
}

void PointToPoint::on_offer_work(int source, const PacketHeader& header, Payload payload) {
  std::shared_ptr<const Elsewhere> layout;
  if ((header.flags & kTellsLayout) != 0)
    layout = std::make_shared<const Elsewhere>(argument_of<ScatteredOffer>(payload).layout);
  direct_.help(from_cookie<SendRequest>(header.word[0]), source, header.word[1], std::move(layout),
               argument_of<DirectCopies::Offer>(payload), peer(source).direct);
}

void PointToPoint::copied_there(SendRequest& request, int world_receiver, std::uint64_t receiver_cookie) {
  send_control(peer(world_receiver), {.handler = kCopied, .word = {receiver_cookie, 0}}, 0);
  part_done(request);
}

void PointToPoint::part_left(int world_receiver, std::uint64_t receiver_cookie, std::uint32_t part) {
  send_control(peer(world_receiver), {.handler = kPartLeft, .word = {receiver_cookie, part}}, 0);
}

// ---- receiving
// -----------------------------------------------------------------------------------------------------

inline void PointToPoint::begin(ReceiveRequest& request, const Envelope& sent, std::size_t total) {
  request.outcome.source = sent.source;
  request.outcome.tag = sent.tag;
  request.outcome.bytes = static_cast<std::int64_t>(std::min(total, request.capacity));
  request.expected = total;
  if (total > request.capacity) [[unlikely]]
    truncate(request, sent, total);
}

// `expected` bytes arrive in all; those beyond the capacity are dropped.
inline void PointToPoint::append(ReceiveRequest& request, Payload payload) {
  const std::size_t room = request.capacity > request.arrived ? request.capacity - request.arrived : 0;
  receive_part(request.buffer, request.scattered(), request.arrived, payload.data(), std::min(room, payload.size()));
  request.arrived += payload.size();
}

Outcome PointToPoint::receive(const Receive& receive) {
  const Ref<ReceiveRequest> request = start_receive(receive);
  return finish_receive(*request);
}

Outcome PointToPoint::finish_receive(ReceiveRequest& request) {
  wait(request);
  if (request.outcome.error != 0) [[unlikely]]
    base::fail(request.outcome.error, *request.error_text);
  return request.outcome;
}

Ref<ReceiveRequest> PointToPoint::receive_from_nobody(const Receive& receive) {
  Section& section = sections_.of(receive.context);
  const std::lock_guard held(section.lock());
  ReceiveRequest& request = section.receives.take();
  request.start(receive.comm, 1);
  request.wanted = {receive.context, receive.source, receive.tag};
  request.outcome = kFromNobody;
  request.complete();
  return Ref<ReceiveRequest>::adopt(&request);
}

Ref<ReceiveRequest> PointToPoint::start_receive(const Receive& receive) {
  if (receive.source == abi::PROC_NULL) [[unlikely]]
    return receive_from_nobody(receive);
  Section& section = sections_.of(receive.context);
  std::unique_lock held(section.lock());
  ReceiveRequest& request = new_receive(section, receive);
  std::unique_ptr<Unexpected> message = section.matcher.take(request.wanted);
  if (!message) section.matcher.post(request);
  held.unlock();
  if (message) take(request, std::move(message));
  return Ref<ReceiveRequest>::adopt(&request);
}

// A message that has come before is taken only if all of it is there and nobody wants to know.
Ref<ReceiveRequest> PointToPoint::try_start_receive_beside(const Receive& receive) {
  Section& section = sections_.of(receive.context);
  const std::lock_guard held(section.lock());
  const Unexpected* message = section.matcher.peek({receive.context, receive.source, receive.tag});
  if (message && (!message->is_whole() || message->acknowledge || message->total > receive.capacity)) return {};
  ReceiveRequest& request = new_receive(section, receive);
  if (message) {
    const std::unique_ptr<Unexpected> taken = section.matcher.take(request.wanted);
    begin(request, taken->envelope, taken->total);
    append(request, taken->data);
    request.finish();
  } else {
    section.matcher.post(request);
  }
  return Ref<ReceiveRequest>::adopt(&request);
}

void PointToPoint::take(ReceiveRequest& request, std::unique_ptr<Unexpected> message) {
  begin(request, message->envelope, message->total);
  if (message->rendezvous)
    return fetch(request, {message->world_source, message->sender_cookie, message->sender_address,
                           std::move(message->sender_layout)});
  if (message->acknowledge)
    send_control(peer(message->world_source), {.handler = kAcknowledge, .word = {message->sender_cookie, 0}}, 0);
  const bool whole = message->is_whole();
  append(request, message->data);
  if (whole) return finish(request);
  Peer& from = peer(message->world_source);
  from.arriving_unexpected = nullptr;
  from.arriving = &request;
}

void PointToPoint::truncate(ReceiveRequest& request, const Envelope& sent, std::size_t total) {
  request.fail(
      abi::ERR_TRUNCATE,
      fmt::format("the message of {} bytes from rank {} with tag {} does not fit: the receive buffer holds {} bytes",
                  total, sent.source, sent.tag, request.capacity));
}

void PointToPoint::finish(ReceiveRequest& request) {
  const std::lock_guard held(sections_.of(request.wanted.context).lock());
  request.finish();
}

inline void PointToPoint::deliver(Section& section, int source, const PacketHeader& header, Payload payload) {
  const Envelope sent{header.context, header.source, header.tag};
  const std::size_t total = header.word[0];
  ReceiveRequest* request = section.matcher.arrive(sent);
  if (!request) [[unlikely]]
    return hold(section, source, header, payload);
  begin(*request, sent, total);
  append(*request, payload);
  if ((header.flags & kWantsAcknowledge) != 0) [[unlikely]]
    send_control(peer(source), {.handler = kAcknowledge, .word = {header.word[1], 0}}, 0);
  if (payload.size() == total) [[likely]]
    return request->finish();
  peer(source).arriving = request;
}

// Most short messages: a receive waits for just this one, all of it is here and fits, and nobody wants to know. What
// deliver() does with such comes to so little that without a call in it half of the work is gone.
inline bool PointToPoint::deliver_short(Section& section, const PacketHeader& header, Payload payload) noexcept {
  constexpr std::size_t kMost = 32;
  ReceiveRequest* const request = section.matcher.find_at_once({header.context, header.source, header.tag});
  const std::size_t bytes = payload.size();
  if (!request || bytes > kMost || bytes != header.word[0] || bytes > request->capacity || header.flags != 0 ||
      request->scattered() || request->is_abandoned()) [[unlikely]]
    return false;
  section.matcher.withdraw(*request);
  request->outcome.source = header.source;
  request->outcome.tag = header.tag;
  request->outcome.bytes = static_cast<std::int64_t>(bytes);
  base::copy_bytes<kMost>(request->buffer, payload.data(), bytes);
  request->finish_for_user();
  return true;
}

void PointToPoint::on_eager(int source, const PacketHeader& header, Payload payload) {
  if (!deliver_short(sections_.only(), header, payload)) [[unlikely]]
    on_eager_to_section(source, header, payload);
}

void PointToPoint::on_eager_to_section(int source, const PacketHeader& header, Payload payload) {
  Section& section = sections_.of(header.context);
  const std::lock_guard held(section.lock());
  deliver(section, source, header, payload);
}

// What only the lane's holder may do is left to him: to answer, to go on with a message that is in several packets,
// to end a request that the user has freed.
bool PointToPoint::on_eager_beside(int source, const PacketHeader& header, Payload payload) {
  if (payload.size() != header.word[0] || (header.flags & kWantsAcknowledge) != 0) return false;
  Section& section = sections_.of(header.context);
  const std::lock_guard held(section.lock());
  const ReceiveRequest* request = section.matcher.find({header.context, header.source, header.tag});
  if (request && (request->is_abandoned() || request->scattered())) return false;
  deliver(section, source, header, payload);
  return true;
}

// Keeps an eager message that nobody has asked for.
void PointToPoint::hold(Section& section, int source, const PacketHeader& header, Payload payload) {
  const std::size_t total = header.word[0];
  auto message = std::make_unique<Unexpected>();
  message->envelope = {header.context, header.source, header.tag};
  message->world_source = source;
  message->total = total;
  message->acknowledge = (header.flags & kWantsAcknowledge) != 0;
  message->sender_cookie = header.word[1];
  message->data.reserve(total);
  message->data.assign(payload.begin(), payload.end());
  if (payload.size() != total) peer(source).arriving_unexpected = message.get();
  section.matcher.hold(std::move(message));
}

void PointToPoint::on_more(int source, const PacketHeader&, Payload payload) {
  Peer& from = peer(source);
  if (ReceiveRequest* request = from.arriving) {
    append(*request, payload);
    if (request->arrived != request->expected) return;
    from.arriving = nullptr;
    return finish(*request);
  }
  Unexpected& message = *from.arriving_unexpected;
  const std::lock_guard held(sections_.of(message.envelope.context).lock());
  message.data.insert(message.data.end(), payload.begin(), payload.end());
  if (message.is_whole()) from.arriving_unexpected = nullptr;
}

void PointToPoint::on_request_to_send(int source, const PacketHeader& header, Payload payload) {
  const Envelope sent{header.context, header.source, header.tag};
  const auto address = argument_of<std::uint64_t>(payload);
  std::shared_ptr<const Elsewhere> layout;
  if ((header.flags & kTellsLayout) != 0)
    layout = std::make_shared<const Elsewhere>(argument_of<ScatteredAddress>(payload).layout);
  Section& section = sections_.of(sent.context);
  std::unique_lock held(section.lock());
  if (ReceiveRequest* request = section.matcher.arrive(sent)) {
    held.unlock();
    begin(*request, sent, header.word[0]);
    return fetch(*request, {source, header.word[1], address, std::move(layout)});
  }
  auto message = std::make_unique<Unexpected>();
  message->envelope = sent;
  message->world_source = source;
  message->total = header.word[0];
  message->rendezvous = true;
  message->sender_cookie = header.word[1];
  message->sender_address = address;
  message->sender_layout = std::move(layout);
  section.matcher.hold(std::move(message));
}

// Moves what was announced, as far as there is room for it.
void PointToPoint::fetch(ReceiveRequest& request, const DirectCopies::Announced& message) {
  request.expected = std::min(request.expected, request.capacity);
  Peer& from = peer(message.world_source);
  if (request.expected == 0) return copied_here(request, message);
  if (direct_.begin(request, message, from.direct)) return;
  send_control(from, {.handler = kClearToSend, .word = {message.sender_cookie, cookie(&request)}},
               std::uint64_t{request.expected});
}

void PointToPoint::on_data(int, const PacketHeader& header, Payload payload) {
  ReceiveRequest& request = from_cookie<ReceiveRequest>(header.word[0]);
  append(request, payload);
  if (request.arrived == request.expected) finish(request);
}

void PointToPoint::offer_work(const DirectCopies::Announced& message, std::uint64_t address,
                              const DirectCopies::Offer& offer, const layout::Regular* layout) {
  PacketHeader header{.handler = kOfferWork, .word = {message.sender_cookie, address}};
  Peer& to = peer(message.world_source);
  if (!layout) return send_control(to, header, offer);
  header.flags = kTellsLayout;
  send_control(to, header, ScatteredOffer{offer, *layout});
}

void PointToPoint::copied_here(ReceiveRequest& request, const DirectCopies::Announced& message) {
  send_control(peer(message.world_source), {.handler = kAcknowledge, .word = {message.sender_cookie, 0}}, 0);
  finish(request);
}

void PointToPoint::on_copied(int, const PacketHeader& header, Payload) {
  ReceiveRequest& request = from_cookie<ReceiveRequest>(header.word[0]);
  direct_.helper_did_the_last(request);
  finish(request);
}

void PointToPoint::on_part_left(int, const PacketHeader& header, Payload) {
  direct_.helper_left(from_cookie<ReceiveRequest>(header.word[0]), static_cast<std::uint32_t>(header.word[1]));
}

// ---- waiting
// -------------------------------------------------------------------------------------------------------

progress::WaitReason PointToPoint::reason(const objects::Request& request) {
  if (!request.comm_ref()) return {.communicator = "a generalized request"};
  if (request.kind() == objects::Request::Kind::combined)
    return reason(static_cast<const CombinedRequest&>(request).first_under_way());
  progress::WaitReason reason{.communicator = request.comm().name().c_str()};
  if (request.kind() == objects::Request::Kind::send) {
    const auto& send = static_cast<const SendRequest&>(request);
    reason.peer = send.world_receiver;
    reason.tag = send.tag;
    reason.bytes = static_cast<std::int64_t>(send.bytes);
  } else if (request.kind() == objects::Request::Kind::receive) {
    const auto& receive = static_cast<const ReceiveRequest&>(request);
    reason.peer = world_peer(request.comm(), receive.wanted.source);
    reason.tag = receive.wanted.tag;
    reason.bytes = static_cast<std::int64_t>(receive.capacity);
  }
  return reason;
}

bool PointToPoint::cancel(ReceiveRequest& request) {
  Section& section = sections_.of(request.wanted.context);
  const std::lock_guard held(section.lock());
  if (!request.linked()) return false;
  section.matcher.withdraw(request);
  request.outcome = {.cancelled = true};
  request.finish();
  return true;
}

void PointToPoint::wait(objects::Request& request) {
  progress_.wait([&] { return request.done(); }, [&] { return reason(request); });
}

bool PointToPoint::probe_now(const Envelope& wanted, Outcome* outcome) {
  if (wanted.source == abi::PROC_NULL) {
    *outcome = kFromNobody;
    return true;
  }
  Section& section = sections_.of(wanted.context);
  const std::lock_guard held(section.lock());
  const Unexpected* message = section.matcher.peek(wanted);
  if (!message) return false;
  *outcome = message->outcome();
  return true;
}

template <class Look>
void PointToPoint::wait_for_message(const Envelope& wanted, const objects::Comm& comm, Look&& look) {
  progress_.wait(look, [&] {
    return progress::WaitReason{comm.name().c_str(), world_peer(comm, wanted.source), wanted.tag, -1};
  });
}

Outcome PointToPoint::probe(const Envelope& wanted, objects::Comm& comm) {
  Outcome outcome;
  wait_for_message(wanted, comm, [&] { return probe_now(wanted, &outcome); });
  return outcome;
}

Ref<MatchedMessage> PointToPoint::match_now(const Envelope& wanted, objects::Comm& comm) {
  Section& section = sections_.of(wanted.context);
  const std::lock_guard held(section.lock());
  std::unique_ptr<Unexpected> message = section.matcher.take(wanted);
  if (!message) return {};
  return Ref<MatchedMessage>::adopt(new MatchedMessage(comm, std::move(message)));
}

Ref<MatchedMessage> PointToPoint::match(const Envelope& wanted, objects::Comm& comm) {
  Ref<MatchedMessage> message;
  // Asked again after it has been true once.
  wait_for_message(wanted, comm, [&] { return message || (message = match_now(wanted, comm)); });
  return message;
}

Ref<ReceiveRequest> PointToPoint::start_receive_matched(MatchedMessage& message, const Receive& receive) {
  Section& section = sections_.of(receive.context);
  std::unique_lock held(section.lock());
  ReceiveRequest& request = new_receive(section, receive);
  held.unlock();
  take(request, message.take());
  return Ref<ReceiveRequest>::adopt(&request);
}

}  // namespace antiphon::pt2pt
