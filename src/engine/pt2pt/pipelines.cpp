#include "engine/pt2pt/pipelines.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace antiphon::pt2pt {

using base::LaneHeld;
using transport::PacketHeader;
using transport::Payload;
using transport::PeerMemory;
using transport::Pipe;
using transport::PipeReader;
using transport::PipeWriter;

namespace {

// The sender copies a piece into the pipe while the receiver copies the one before it out. With long pieces, the
// receiver waits long for the first and the sender's core idles during the last; each short piece costs a poll of
// both sides.
constexpr std::size_t kPieces = 8, kShortest = std::size_t{8} << 10;
// At least this many pieces fit into the pipe.
constexpr std::size_t kPiecesInPipe = 4;

// After this many messages a pipe will probably be used by more, so all its pages are populated at once.
constexpr unsigned kOften = 4;

// Whether a peer's pipe may have this block (PipeBlocks).
bool is_possible(const transport::PipeBlock& block, const PeerMemory& peer) {
  return std::has_single_bit(block.bytes) && block.offset % block.bytes == 0 && block.offset < peer.pipe_memory() &&
         block.bytes <= peer.pipe_memory() - block.offset;
}

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
  if (++from->lent == kOften) peer->populate(from->pipe);
  if (from->messages.empty()) from->pipe.begin();
  from->messages.push_back(&request);
  ++receiving_;
  has_begun();
  tell(message.world_source,
       {.handler = packets::kClearToPipe,
        .flags = request.way == WayName::streamed_pipes ? kStreamed : kPlain,
        .word = {message.sender, number_of(*from)}},
       Clearance{request.expected, from->block});
  return true;
}

Pipelines::Inbound* Pipelines::lend_to(int source, PeerMemory& peer) {
  if (!blocks_)
    blocks_.emplace(peer.pipe_memory(), peer.pipes(), settings_.pipe_bytes,
                    [&peer](const transport::PipeBlock& block) { peer.release(block); });
  Inbound* const found = find_pipe_for(source, peer);
  if (!found) return nullptr;
  if (found->messages.empty() && !fit(*found, peer)) return nullptr;
  found->source = source;
  found->peer = &peer;
  found->used = true;
  return found;
}

// The pipe that `source` has or had last, if no other sender has it now; otherwise an idle pipe, and only if there is
// none, a new one.
Pipelines::Inbound* Pipelines::find_pipe_for(int source, PeerMemory& peer) {
  Inbound* idle = nullptr;
  for (Inbound& pipe : inbound_) {
    if (pipe.source == source) return &pipe;
    if (pipe.messages.empty() && (!idle || (!blocks_->has(number_of(*idle)) && blocks_->has(number_of(pipe)))))
      idle = &pipe;
  }
  if (idle || inbound_.size() == peer.pipes()) return idle;
  return &inbound_.emplace_back();
}

// The pipe is empty, so it may get another block.
bool Pipelines::fit(Inbound& pipe, PeerMemory& peer) {
  if (--until_unused_ == 0) drop_unused();
  const unsigned number = number_of(pipe);
  if (!blocks_->fit(number, [&](unsigned other) { return !inbound_[other].messages.empty(); })) return false;
  if (pipe.block == blocks_->of(number)) return true;
  pipe.block = blocks_->of(number);
  pipe.pipe = PipeReader(peer.my_pipe(number, pipe.block));
  pipe.lent = 0;
  return true;
}

void Pipelines::drop_unused() {
  until_unused_ = kLately;
  for (Inbound& pipe : inbound_) {
    if (std::exchange(pipe.used, false) || !pipe.messages.empty()) continue;
    blocks_->drop(number_of(pipe));
    pipe.source = kNobody;
  }
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

// If the receiver names another pipe or block than before, it has received everything that was sent through the old
// one.
void Pipelines::on_clear_to_pipe(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(kStreamed);
  const auto wanted = packet.argument<Clearance>();
  const auto number = static_cast<unsigned>(header.word[1]);
  SendRequest& request = announced(packet);
  packet.need(wanted.bytes != 0 && wanted.bytes <= request.bytes,
              "it asks for no bytes, or for more than the message has");
  Outbound& to = outbound_to(source);
  packet.need(to.peer && header.word[1] < to.peer->pipes() && is_possible(wanted.block, *to.peer),
              "there is no such pipe");
  const bool is_another = to.number != number || to.block != wanted.block;
  packet.need(!is_another || to.messages.empty(), "its last pipe is in use");
  if (is_another) {
    to.pipe = PipeWriter(to.peer->their_pipe(number, wanted.block));
    to.number = number;
    to.block = wanted.block;
    to.borrowed = 0;
  }
  if (++to.borrowed == kOften) to.peer->populate(to.pipe);
  if (to.messages.empty()) {
    to.pipe.begin();
    active_.push_back(&to);
  }
  to.messages.push_back({&request, wanted.bytes, (header.flags & kStreamed) != 0});
  sends_.answered_last(request);
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
