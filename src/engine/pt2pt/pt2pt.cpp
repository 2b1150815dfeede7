#include "engine/pt2pt/pt2pt.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/error.hpp"

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

constexpr Outcome kFromNobody{.source = abi::PROC_NULL, .tag = abi::ANY_TAG};

int world_peer(const objects::Comm& comm, int rank) { return rank < 0 ? rank : comm.world_rank(rank); }

}  // namespace

PointToPoint::PointToPoint(int size, Connect connect, transport::Dispatcher& dispatcher, progress::Progress& progress)
    : connect_(std::move(connect)), progress_(progress), peers_(static_cast<std::size_t>(size)) {
  dispatcher.on<&PointToPoint::on_eager>(kEager, *this);
  dispatcher.on<&PointToPoint::on_more>(kMore, *this);
  dispatcher.on<&PointToPoint::on_request_to_send>(kRequestToSend, *this);
  dispatcher.on<&PointToPoint::on_clear_to_send>(kClearToSend, *this);
  dispatcher.on<&PointToPoint::on_data>(kData, *this);
  dispatcher.on<&PointToPoint::on_acknowledge>(kAcknowledge, *this);
  progress_.add(*this);
}

PointToPoint::~PointToPoint() {
  for (Peer* peer : connected_)
    while (!peer->queue.empty()) {
      std::unique_ptr<Outbound> out(&peer->queue.front());
      out->unlink();
    }
}

PointToPoint::Peer& PointToPoint::peer(int world_rank) {
  std::unique_ptr<Peer>& slot = peers_[static_cast<std::size_t>(world_rank)];
  if (!slot) [[unlikely]] {
    slot = std::make_unique<Peer>();
    slot->channel = connect_(world_rank);
    slot->max_payload = slot->channel->capabilities().max_payload;
    slot->eager_limit = slot->channel->capabilities().eager_limit;
    connected_.push_back(slot.get());
  }
  return *slot;
}

// ---- sending
// -------------------------------------------------------------------------------------------------------

bool PointToPoint::sent_at_once(const Send& send, Peer& to) {
  if (send.bytes > to.max_payload || !to.queue.empty() || send.mode != Mode::standard) return false;
  PacketHeader header{.handler = kEager, .context = send.context, .source = send.comm.rank(), .tag = send.tag};
  header.word[0] = send.bytes;
  return to.channel->try_send(header, {static_cast<const std::byte*>(send.buffer), send.bytes}) ==
         transport::SendStatus::sent;
}

void PointToPoint::send(const Send& send) {
  if (const Ref<SendRequest> request = start_send(send)) wait(*request);
}

Ref<SendRequest> PointToPoint::start_send(const Send& send) {
  if (send.destination == abi::PROC_NULL) return {};
  const int world = send.comm.world_rank(send.destination);
  Peer& to = peer(world);
  if (sent_at_once(send, to)) return {};

  auto request = Ref<SendRequest>::adopt(new SendRequest(Ref<objects::Comm>::share(send.comm)));
  request->retain();  // the engine's, until part_done() has seen the last part
  request->peer = world;
  request->tag = send.tag;
  request->data = static_cast<const std::byte*>(send.buffer);
  request->bytes = send.bytes;
  request->destination = world;

  auto out = std::make_unique<Outbound>();
  out->first = {.handler = kEager, .context = send.context, .source = send.comm.rank(), .tag = send.tag};
  out->first.word[0] = send.bytes;
  out->first.word[1] = cookie(request.get());
  if (send.bytes <= to.eager_limit) {
    out->rest = {.handler = kMore};
    out->data = request->data;
    out->remaining = send.bytes;
    out->request = request.get();
    if (send.mode == Mode::synchronous) {
      out->first.flags = kWantsAcknowledge;
      request->parts_left = 2;
    }
  } else {
    out->first.handler = kRequestToSend;  // its receiver's answer starts the data, whose end completes the request
  }
  submit(to, std::move(out));
  return request;
}

void PointToPoint::submit(Peer& to, std::unique_ptr<Outbound> out) {
  if (to.queue.empty() && out->advance(*to.channel, to.max_payload)) {
    if (out->request) part_done(*out->request);
    return;
  }
  to.queue.push_back(*out.release());
  ++queued_;
}

void PointToPoint::send_control(int world_rank, const PacketHeader& header, std::uint64_t argument) {
  auto out = std::make_unique<Outbound>();
  out->first = header;
  std::memcpy(out->inline_data.data(), &argument, sizeof argument);
  out->data = out->inline_data.data();
  out->remaining = sizeof argument;
  submit(peer(world_rank), std::move(out));
}

bool PointToPoint::push() {
  bool moved = false;
  for (Peer* to : connected_)
    while (!to->queue.empty()) {
      Outbound& head = to->queue.front();
      const std::size_t before = head.remaining;
      const bool gone = head.advance(*to->channel, to->max_payload);
      moved |= gone || head.remaining != before;
      if (!gone) break;
      std::unique_ptr<Outbound> out(&head);
      out->unlink();
      --queued_;
      if (out->request) part_done(*out->request);
    }
  return moved;
}

void PointToPoint::part_done(SendRequest& request) {
  if (--request.parts_left != 0) return;
  request.outcome.bytes = static_cast<std::int64_t>(request.bytes);
  request.complete();
  if (request.release()) delete &request;
}

void PointToPoint::on_acknowledge(int, const PacketHeader& header, Payload) {
  part_done(from_cookie<SendRequest>(header.word[0]));
}

void PointToPoint::on_clear_to_send(int source, const PacketHeader& header, Payload payload) {
  SendRequest& request = from_cookie<SendRequest>(header.word[0]);
  std::uint64_t wanted = 0;  // bytes: fewer than we have if the receiver's buffer is shorter
  std::memcpy(&wanted, payload.data(), sizeof wanted);
  auto out = std::make_unique<Outbound>();
  out->first = {.handler = kData};
  out->first.word[0] = header.word[1];
  out->rest = out->first;
  out->data = request.data;
  out->remaining = wanted;
  out->request = &request;
  submit(peer(source), std::move(out));
}

// ---- receiving
// -----------------------------------------------------------------------------------------------------

Outcome PointToPoint::receive(const Receive& receive) {
  if (receive.source == abi::PROC_NULL) return kFromNobody;
  ReceiveRequest request(Ref<objects::Comm>::share(receive.comm));
  post(request, receive);
  wait(request);
  if (request.outcome.error != 0) [[unlikely]]
    base::fail(request.outcome.error, std::move(request.error_text));
  return request.outcome;
}

Ref<ReceiveRequest> PointToPoint::start_receive(const Receive& receive) {
  auto request = Ref<ReceiveRequest>::adopt(new ReceiveRequest(Ref<objects::Comm>::share(receive.comm)));
  if (receive.source == abi::PROC_NULL) {
    request->outcome = kFromNobody;
    request->complete();
  } else {
    post(*request, receive);
  }
  return request;
}

void PointToPoint::post(ReceiveRequest& request, const Receive& receive) {
  request.wanted = {receive.context, receive.source, receive.tag};
  request.buffer = static_cast<std::byte*>(receive.buffer);
  request.capacity = receive.capacity;
  request.peer = world_peer(receive.comm, receive.source);
  request.tag = receive.tag;
  request.retain();  // the engine's, until finish()
  if (std::unique_ptr<Unexpected> message = matcher_.post(request)) take(request, std::move(message));
}

void PointToPoint::take(ReceiveRequest& request, std::unique_ptr<Unexpected> message) {
  begin(request, message->envelope, message->total);
  if (message->rendezvous) return ask_for_data(request, message->world_source, message->sender_cookie);
  if (message->acknowledge)
    send_control(message->world_source, {.handler = kAcknowledge, .word = {message->sender_cookie, 0}}, 0);
  const bool whole = message->data.size() == message->total;
  append(request, message->data);
  if (whole) return finish(request);
  Peer& from = peer(message->world_source);
  from.arriving_unexpected = nullptr;
  from.arriving = &request;
}

void PointToPoint::begin(ReceiveRequest& request, const Envelope& sent, std::size_t total) {
  request.outcome.source = sent.source;
  request.outcome.tag = sent.tag;
  request.outcome.bytes = static_cast<std::int64_t>(std::min(total, request.capacity));
  request.expected = total;
  if (total > request.capacity) [[unlikely]] {
    request.outcome.error = abi::ERR_TRUNCATE;
    request.error_text = fmt::format(
        "the message of {} bytes from rank {} with tag {} does not fit: the receive buffer holds {} bytes", total,
        sent.source, sent.tag, request.capacity);
  }
}

// `expected` bytes arrive in all; those beyond the capacity are dropped.
void PointToPoint::append(ReceiveRequest& request, Payload payload) {
  const std::size_t room = request.capacity > request.arrived ? request.capacity - request.arrived : 0;
  if (const std::size_t bytes = std::min(room, payload.size()); bytes != 0)
    std::memcpy(request.buffer + request.arrived, payload.data(), bytes);
  request.arrived += payload.size();
}

void PointToPoint::finish(ReceiveRequest& request) {
  request.complete();
  if (request.release()) delete &request;
}

void PointToPoint::on_eager(int source, const PacketHeader& header, Payload payload) {
  const Envelope sent{header.context, header.source, header.tag};
  const std::size_t total = header.word[0];
  const bool acknowledge = (header.flags & kWantsAcknowledge) != 0;
  if (ReceiveRequest* request = matcher_.arrive(sent)) [[likely]] {
    begin(*request, sent, total);
    append(*request, payload);
    if (acknowledge) send_control(source, {.handler = kAcknowledge, .word = {header.word[1], 0}}, 0);
    if (payload.size() == total) return finish(*request);
    peer(source).arriving = request;
    return;
  }
  auto message = std::make_unique<Unexpected>();
  message->envelope = sent;
  message->world_source = source;
  message->total = total;
  message->acknowledge = acknowledge;
  message->sender_cookie = header.word[1];
  message->data.reserve(total);
  message->data.assign(payload.begin(), payload.end());
  if (payload.size() != total) peer(source).arriving_unexpected = message.get();
  matcher_.hold(std::move(message));
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
  message.data.insert(message.data.end(), payload.begin(), payload.end());
  if (message.data.size() == message.total) from.arriving_unexpected = nullptr;
}

void PointToPoint::on_request_to_send(int source, const PacketHeader& header, Payload) {
  const Envelope sent{header.context, header.source, header.tag};
  if (ReceiveRequest* request = matcher_.arrive(sent)) {
    begin(*request, sent, header.word[0]);
    return ask_for_data(*request, source, header.word[1]);
  }
  auto message = std::make_unique<Unexpected>();
  message->envelope = sent;
  message->world_source = source;
  message->total = header.word[0];
  message->rendezvous = true;
  message->sender_cookie = header.word[1];
  matcher_.hold(std::move(message));
}

void PointToPoint::ask_for_data(ReceiveRequest& request, int world_source, std::uint64_t sender_cookie) {
  request.expected = std::min(request.expected, request.capacity);
  send_control(world_source, {.handler = kClearToSend, .word = {sender_cookie, cookie(&request)}}, request.expected);
}

void PointToPoint::on_data(int, const PacketHeader& header, Payload payload) {
  ReceiveRequest& request = from_cookie<ReceiveRequest>(header.word[0]);
  append(request, payload);
  if (request.arrived == request.expected) finish(request);
}

// ---- waiting
// -------------------------------------------------------------------------------------------------------

progress::WaitReason PointToPoint::reason(const objects::Request& request) {
  const std::size_t bytes = request.kind() == objects::Request::Kind::receive
                                ? static_cast<const ReceiveRequest&>(request).capacity
                                : static_cast<const SendRequest&>(request).bytes;
  return {request.comm().name().c_str(), request.peer, request.tag, static_cast<std::int64_t>(bytes)};
}

void PointToPoint::wait(objects::Request& request) {
  progress_.wait([&] { return request.done(); }, [&] { return reason(request); });
}

bool PointToPoint::probe_now(const Envelope& wanted, Outcome* outcome) {
  if (wanted.source == abi::PROC_NULL) {
    *outcome = kFromNobody;
    return true;
  }
  const Unexpected* message = matcher_.peek(wanted);
  if (!message) return false;
  *outcome = {.source = message->envelope.source,
              .tag = message->envelope.tag,
              .bytes = static_cast<std::int64_t>(message->total)};
  return true;
}

Outcome PointToPoint::probe(const Envelope& wanted, objects::Comm& comm) {
  Outcome outcome;
  progress_.wait([&] { return probe_now(wanted, &outcome); },
                 [&] {
                   return progress::WaitReason{comm.name().c_str(), world_peer(comm, wanted.source), wanted.tag, -1};
                 });
  return outcome;
}

}  // namespace antiphon::pt2pt
