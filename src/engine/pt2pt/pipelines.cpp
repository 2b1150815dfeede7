#include "engine/pt2pt/pipelines.hpp"

#include <algorithm>

#include "base/make_room.hpp"

namespace antiphon::pt2pt {

using base::LaneHeld;
using transport::PacketHeader;
using transport::Payload;
using transport::PeerMemory;
using transport::Pipe;
using transport::PipeReader;
using transport::PipeWriter;

namespace {

// Of a message, a piece is copied in while the one before it is copied out: where these are long, the last one is
// waited for long; where they are short, each still takes a look of both sides.
constexpr std::size_t kPieces = 8, kShortest = std::size_t{8} << 10;
// And several pieces must fit into the pipe.
constexpr std::size_t kPiecesInPipe = 4;

// A pipe that so many messages went through will be used by more.
constexpr unsigned kOften = 4;

}  // namespace

Pipelines::Pipelines(const Around& around, transport::Dispatcher& dispatcher, progress::Progress& progress,
                     const settings::Values& settings)
    : Way(around), settings_(settings) {
  dispatcher.on<&Pipelines::on_clear_to_pipe>(packets::kClearToPipe, *this);
  progress.add(*this);
}

std::size_t Pipelines::piece_of(std::size_t bytes, const Pipe& pipe) const {
  const std::size_t longest = std::max<std::size_t>(1, pipe.capacity() / kPiecesInPipe);
  if (settings_.pipe_piece != 0) return std::min(settings_.pipe_piece, longest);
  const std::size_t wanted = bytes / kPieces / base::kCacheLine * base::kCacheLine;
  return std::clamp(wanted, std::min(kShortest, longest), longest);
}

// ---- the receiver's side

bool Pipelines::begin(ReceiveRequest& request, const Announced& message) {
  PeerMemory* const peer = links_.to(message.world_source).channel().peer_memory();
  if (!peer) return false;
  Inbound* const from = lend_to(message.world_source, *peer);
  if (!from) return false;
  const bool was_idle = from->messages.empty();
  from->messages.push_back(&request);
  if (++from->lent == kOften) peer->populate(from->pipe);
  if (was_idle) from->pipe.begin();
  ++receiving_;
  has_begun();
  tell(message.world_source,
       {.handler = packets::kClearToPipe,
        .flags = request.way == WayName::streamed_pipes ? kStreamed : kPlain,
        .word = {message.sender.value, static_cast<std::uint64_t>(from - inbound_.data())}},
       std::uint64_t{request.expected});
  return true;
}

// The one that it has, or had, if that is not somebody else's now.
Pipelines::Inbound* Pipelines::lend_to(int source, PeerMemory& peer) {
  if (inbound_.empty()) {
    std::vector<Inbound> all;
    all.reserve(peer.pipes());
    for (unsigned number = 0; number < peer.pipes(); ++number)
      all.push_back({.pipe = PipeReader(peer.my_pipe(number)), .messages = {}});
    inbound_ = std::move(all);
  }
  const auto is_its = [&](const Inbound& pipe) { return pipe.source == source; };
  auto found = std::ranges::find_if(inbound_, is_its);
  if (found == inbound_.end()) {
    found = std::ranges::find_if(inbound_, [](const Inbound& pipe) { return pipe.messages.empty(); });
    if (found == inbound_.end()) return nullptr;
    found->source = source;
    found->peer = &peer;
  }
  return &*found;
}

bool Pipelines::receive_some(Inbound& from) {
  if (from.messages.empty()) return false;
  ReceiveRequest& request = *from.messages.front();
  const std::size_t left = request.expected - request.arrived;
  const Payload bytes = from.pipe.ready(std::min(left, piece_of(request.expected, from.pipe)));
  if (bytes.empty()) return false;
  request.append(bytes);
  from.pipe.used(bytes.size());
  const bool has_all = request.has_all();
  if (has_all) from.messages.pop_front();
  if (has_all && !from.messages.empty()) from.pipe.begin();
  from.peer->wake();
  if (!has_all) return true;
  --receiving_;
  end(request);
  return true;
}

// ---- the sender's side

Pipelines::Outbound& Pipelines::outbound_to(int process) {
  const auto index = static_cast<std::size_t>(process);
  if (outbound_.size() <= index) outbound_.resize(index + 1);
  std::unique_ptr<Outbound>& to = outbound_[index];
  if (!to) {
    to = std::make_unique<Outbound>();
    to->peer = links_.to(process).channel().peer_memory();
  }
  return *to;
}

// A receiver that names another pipe than before has all that went through that one.
void Pipelines::on_clear_to_pipe(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  Outbound& to = outbound_to(source);
  if (const auto number = static_cast<unsigned>(header.word[1]); to.number != number) {
    to.pipe = PipeWriter(to.peer->their_pipe(number));
    to.number = number;
    to.borrowed = 0;
  }
  const bool was_idle = to.messages.empty();
  base::make_room(active_);
  to.messages.push_back({&Cookie<SendRequest>(header.word[0]).request(), links::argument_of<std::uint64_t>(payload),
                         (header.flags & kStreamed) != 0});
  if (++to.borrowed == kOften) to.peer->populate(to.pipe);
  if (was_idle) {
    to.pipe.begin();
    active_.push_back(&to);
  }
  ++sending_;
  has_begun();
}

bool Pipelines::send_some(Outbound& to) {
  const auto [request, bytes, streamed] = to.messages.front();
  const std::span<std::byte> room = to.pipe.room(std::min(bytes - to.sent, piece_of(bytes, to.pipe)));
  if (room.empty()) return false;
  const auto pack = streamed ? data::stream_part : data::pack_part;
  pack(request->data, request->scattered(), to.sent, room.data(), room.size());
  if (streamed) base::order_streams();
  to.pipe.wrote(room.size());
  to.peer->wake();
  to.sent += room.size();
  if (to.sent != bytes) return true;
  to.messages.pop_front();
  to.sent = 0;
  if (!to.messages.empty()) to.pipe.begin();
  --sending_;
  request->part_done();
  return true;
}

bool Pipelines::push() {
  bool moved = false;
  if (sending_ != 0) {
    for (Outbound* to : active_) moved |= send_some(*to);
    std::erase_if(active_, [](const Outbound* to) { return to->messages.empty(); });
  }
  if (receiving_ != 0)
    for (Inbound& from : inbound_) moved |= receive_some(from);
  return moved;
}

}  // namespace antiphon::pt2pt
