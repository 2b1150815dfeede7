#include "engine/rma/outbounds.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "engine/data/move.hpp"
#include "engine/data/place.hpp"
#include "engine/packets.hpp"
#include "engine/rma/one_sided.hpp"

namespace antiphon::rma {

using transport::Channel;
using transport::PacketHeader;
using transport::SendStatus;
using Went = links::Outbound::Went;

namespace {

constexpr std::size_t kMostRuns = 64;  // in a packet

// Used to list pieces only; this process does not access that memory.
data::Place remote_place(const Transfer& transfer) {
  return {reinterpret_cast<std::byte*>(transfer.remote.address), transfer.remote.scattered};
}

// The run that contains packed byte `offset`, from there on.
Run run_at(const Transfer& transfer, std::size_t offset) {
  base::Piece piece{};
  std::size_t covered = 0;
  (void)remote_place(transfer).pieces(offset, transfer.bytes - offset, {&piece, 1}, &covered);
  return {reinterpret_cast<std::uintptr_t>(piece.begin), piece.bytes};
}

Went went(std::size_t before, std::size_t now) { return now == before ? Went::nothing : Went::some; }

}  // namespace

Went PutOut::advance(Channel& channel, std::size_t max_payload) {
  const std::size_t before = gone_;
  while (gone_ != transfer_.bytes) {
    Run run = run_at(transfer_, gone_);
    run.bytes = std::min(run.bytes, max_payload);
    const bool alone = run.bytes == max_payload || run.bytes == transfer_.bytes - gone_;
    if (!(alone ? send_run(channel, run) : send_runs(channel, max_payload))) return went(before, gone_);
  }
  return Went::all;
}

bool PutOut::send_run(Channel& channel, const Run& run) {
  const PacketHeader header{.handler = packets::kPut,
                            .context = operation_.state().comm().context(),
                            .source = operation_.state().rank(),
                            .word = {run.address, 0}};
  const LocalSide& local = transfer_.local;
  if (!data::send_part(channel, header, local.buffer, local.scattered, gone_, run.bytes)) return false;
  gone_ += run.bytes;
  return true;
}

// Sends as many of the next runs as fit into a packet: their addresses and lengths, then their bytes.
bool PutOut::send_runs(Channel& channel, std::size_t max_payload) {
  std::array<base::Piece, kMostRuns> pieces;
  std::array<Run, kMostRuns> runs;
  std::size_t covered = 0, count = 0, bytes = 0;
  const std::size_t listed = remote_place(transfer_).pieces(gone_, transfer_.bytes - gone_, pieces, &covered);
  for (std::size_t room = max_payload; count != listed && room > sizeof(Run); ++count) {
    const base::Piece& piece = pieces[count];
    runs[count] = {reinterpret_cast<std::uintptr_t>(piece.begin), std::min(piece.bytes, room - sizeof(Run))};
    room -= sizeof(Run) + runs[count].bytes;
    bytes += runs[count].bytes;
  }
  std::byte* const packet = channel.reserve(count * sizeof(Run) + bytes);
  if (!packet) return false;
  std::memcpy(packet, runs.data(), count * sizeof(Run));
  const LocalSide& local = transfer_.local;
  data::pack_part(local.buffer, local.scattered, gone_, packet + count * sizeof(Run), bytes);
  channel.commit({.handler = packets::kPut,
                  .context = operation_.state().comm().context(),
                  .source = operation_.state().rank(),
                  .word = {0, count}},
                 count * sizeof(Run) + bytes);
  gone_ += bytes;
  return true;
}

Went GetOut::advance(Channel& channel, std::size_t max_payload) {
  struct Question {
    GetArgument argument;
    std::array<Run, kMostRuns> runs;
  };
  static_assert(sizeof(Question) == sizeof(GetArgument) + kMostRuns * sizeof(Run));
  const std::size_t room = std::max(max_payload, sizeof(GetArgument) + sizeof(Run)) - sizeof(GetArgument);
  const std::size_t before = get_.asked;
  while (get_.asked != get_.transfer.bytes) {
    std::array<base::Piece, kMostRuns> pieces;
    const std::span<base::Piece> listed = std::span(pieces).first(std::min(room / sizeof(Run), kMostRuns));
    std::size_t covered = 0;
    const std::size_t count =
        remote_place(get_.transfer).pieces(get_.asked, get_.transfer.bytes - get_.asked, listed, &covered);
    Question question;
    question.argument = {covered, get_.asked};
    for (std::size_t i = 0; i != count; ++i)
      question.runs[i] = {reinterpret_cast<std::uintptr_t>(pieces[i].begin), pieces[i].bytes};
    const bool is_one = count == 1;
    const PacketHeader header{.handler = packets::kGet,
                              .context = get_.operation.state().comm().context(),
                              .source = get_.operation.state().rank(),
                              .word = {is_one ? question.runs[0].address : 0, cookie_}};
    const std::size_t bytes = sizeof(GetArgument) + (is_one ? 0 : count * sizeof(Run));
    if (channel.try_send(header, {reinterpret_cast<const std::byte*>(&question), bytes}) != SendStatus::sent)
      return went(before, get_.asked);
    get_.asked += covered;
  }
  return Went::all;
}

Went GotOut::advance(Channel& channel, std::size_t max_payload) {
  const std::size_t before = gone_;
  if (one_sided_.find_window(context_) != state_) return Went::all;
  while (gone_ != wanted_.bytes) {
    const std::size_t bytes = std::min(wanted_.bytes - gone_, max_payload);
    std::byte* const packet = channel.reserve(bytes);
    if (!packet) return went(before, gone_);
    const std::uint64_t offset = wanted_.offset + gone_;
    pack_next(packet, bytes);
    channel.commit({.handler = packets::kGot, .word = {cookie_, offset}}, bytes);
  }
  return Went::all;
}

void GotOut::pack_next(std::byte* packet, std::size_t bytes) {
  gone_ += bytes;
  while (bytes != 0) {
    const Run& run = runs_[run_];
    const std::size_t now = std::min(bytes, run.bytes - of_run_);
    data::pack_part(reinterpret_cast<const std::byte*>(run.address), {}, of_run_, packet, now);
    packet += now;
    bytes -= now;
    of_run_ += now;
    if (of_run_ == run.bytes) ++run_, of_run_ = 0;
  }
}

}  // namespace antiphon::rma
