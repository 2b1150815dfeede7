#include "engine/rma/one_sided.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace antiphon::rma {

using objects::Ref;
using objects::Window;
using transport::PacketHeader;
using transport::Payload;

namespace {

constexpr std::uint8_t kRefused = 1;  // a flag of answers
// What is packed for one packet, and how many runs it may be for.
constexpr std::size_t kMostPacked = 4096;
constexpr std::size_t kMostRuns = 64;

Ref<objects::Datatype> hold(const pt2pt::Scattered& body) {
  return body ? Ref<objects::Datatype>::share(const_cast<objects::Datatype&>(*body.type)) : Ref<objects::Datatype>();
}

std::byte* at(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

}  // namespace

OneSided::Operation::Operation(Window& of, const Transfer& begun)
    : window(Ref<Window>::share(of)),
      transfer(begun),
      world_target(of.comm().world_rank(begun.target)),
      local_type(hold(begun.local.scattered)),
      remote_type(hold(begun.remote.scattered)) {}

OneSided::Run OneSided::Operation::run_at(std::size_t offset) const {
  const RemoteSide& remote = transfer.remote;
  const std::size_t left = transfer.bytes - offset;
  if (!remote.scattered) return {remote.address + offset, left};
  layout::Piece piece{};
  std::int64_t covered = 0;
  (void)remote.scattered.type->layout().pieces(at(remote.address), remote.scattered.count,
                                               pt2pt::Scattered::slice(offset, left), {&piece, 1}, &covered);
  return {reinterpret_cast<std::uintptr_t>(piece.begin), piece.bytes};
}

OneSided::OneSided(pt2pt::PointToPoint& pt2pt, transport::Dispatcher& dispatcher, progress::Progress& progress)
    : pt2pt_(pt2pt), progress_(progress) {
  dispatcher.on<&OneSided::on_put>(kPut, *this);
  dispatcher.on<&OneSided::on_get>(kGet, *this);
  dispatcher.on<&OneSided::on_got>(kGot, *this);
  dispatcher.on<&OneSided::on_confirm>(kConfirm, *this);
  dispatcher.on<&OneSided::on_confirmed>(kConfirmed, *this);
  progress_.add(*this);
}

// ---- the origin's side
// ---------------------------------------------------------------------------------------------

void OneSided::begin(Window& window, const Transfer& transfer, std::byte* here) {
  if (transfer.bytes == 0) return;
  if (here) [[likely]]
    return copy_directly(transfer, here);
  Operation& operation = going_.emplace_back(window, transfer);
  operation.self = std::prev(going_.end());
  has_begun();
  ++window.epochs().under_way;
  std::vector<int>& unconfirmed = window.epochs().unconfirmed;
  if (transfer.kind == Transfer::Kind::put && std::ranges::find(unconfirmed, transfer.target) == unconfirmed.end())
    unconfirmed.push_back(transfer.target);
  if (going_.size() == 1 && advance(operation)) has_gone(operation.self);
}

bool OneSided::advance(Operation& operation) {
  return operation.transfer.kind == Transfer::Kind::put ? advance_put(operation) : advance_get(operation);
}

bool OneSided::advance_put(Operation& put) {
  const pt2pt::Place local(put.transfer.local.buffer, put.transfer.local.scattered);
  const std::size_t most = std::min(kMostPacked, pt2pt_.max_payload(put.world_target));
  std::array<std::byte, kMostPacked> packed;
  while (put.gone != put.transfer.bytes) {
    PacketHeader header{.handler = kPut, .context = put.window->comm().context()};
    const Run run = put.run_at(put.gone);
    std::size_t bytes = std::min(run.bytes, most), used = bytes;
    const std::byte* payload = packed.data();
    if (bytes == most || bytes == put.transfer.bytes - put.gone) {
      header.word[0] = run.address;
      if (local.layout)
        local.layout->pack(local.at, local.count, pt2pt::Scattered::slice(put.gone, bytes), packed.data());
      else
        payload = local.at + put.gone;
    } else {
      header.word[1] = pack_runs(put, std::span(packed).first(most), &bytes, &used);
    }
    if (!pt2pt_.try_packet(put.world_target, header, {payload, used})) return false;
    put.gone += bytes;
  }
  return true;
}

// As many of the next runs at the target as fit into a packet: where they are, then their bytes. Returns how many.
std::size_t OneSided::pack_runs(const Operation& put, std::span<std::byte> packet, std::size_t* bytes,
                                std::size_t* used) {
  const pt2pt::Place remote(at(put.transfer.remote.address), put.transfer.remote.scattered);
  std::array<base::Piece, kMostRuns> pieces;
  std::size_t covered = 0, runs = 0;
  const std::size_t listed = remote.pieces(put.gone, put.transfer.bytes - put.gone, pieces, &covered);
  *bytes = 0;
  for (std::size_t room = packet.size(); runs != listed && room > sizeof(Run); ++runs) {
    const Run run{reinterpret_cast<std::uintptr_t>(pieces[runs].begin),
                  std::min(pieces[runs].bytes, room - sizeof(Run))};
    std::memcpy(packet.data() + runs * sizeof run, &run, sizeof run);
    room -= sizeof run + run.bytes;
    *bytes += run.bytes;
  }
  const pt2pt::Place local(put.transfer.local.buffer, put.transfer.local.scattered);
  std::byte* const data = packet.data() + runs * sizeof(Run);
  if (local.layout)
    local.layout->pack(local.at, local.count, pt2pt::Scattered::slice(put.gone, *bytes), data);
  else
    std::memcpy(data, local.at + put.gone, *bytes);
  *used = runs * sizeof(Run) + *bytes;
  return runs;
}

bool OneSided::advance_get(Operation& get) {
  while (get.gone != get.transfer.bytes) {
    const Run run = get.run_at(get.gone);
    const GetArgument argument{run.bytes, get.gone};
    const PacketHeader header{.handler = kGet,
                              .context = get.window->comm().context(),
                              .word = {run.address, reinterpret_cast<std::uintptr_t>(&get)}};
    if (!pt2pt_.try_packet(get.world_target, header, std::as_bytes(std::span(&argument, 1)))) return false;
    get.gone += run.bytes;
  }
  return true;
}

// A put is over here; a get waits for what it asked for.
void OneSided::has_gone(Operations::iterator operation) {
  if (operation->transfer.kind == Transfer::Kind::get) return coming_.splice(coming_.end(), going_, operation);
  --operation->window->epochs().under_way;
  going_.erase(operation);
}

void OneSided::on_got(int, const PacketHeader& header, Payload payload) {
  Operation& get = *reinterpret_cast<Operation*>(header.word[0]);
  const LocalSide& local = get.transfer.local;
  if ((header.flags & kRefused) != 0) {
    get.window->epochs().refused = true;
    get.arrived += header.word[1];
  } else {
    pt2pt::receive_part(local.buffer, local.scattered, header.word[1], payload.data(), payload.size());
    get.arrived += payload.size();
  }
  if (get.arrived != get.transfer.bytes) return;
  --get.window->epochs().under_way;
  coming_.erase(get.self);
}

void OneSided::finish_here(Window& window) {
  const objects::Epochs& epochs = window.epochs();
  if (epochs.under_way == 0) [[likely]]
    return;
  progress_.wait([&] { return epochs.under_way == 0; },
                 [&] { return progress::WaitReason{.communicator = window.comm().name().c_str()}; });
}

bool OneSided::finish_there(Window& window) {
  finish_here(window);
  objects::Epochs& epochs = window.epochs();
  for (const int target : epochs.unconfirmed) {
    ++epochs.confirmations;
    answer({.world_origin = window.comm().world_rank(target),
            .header = {.handler = kConfirm,
                       .context = window.comm().context(),
                       .word = {reinterpret_cast<std::uintptr_t>(&window), 0}}});
  }
  epochs.unconfirmed.clear();
  if (epochs.confirmations != 0)
    progress_.wait([&] { return epochs.confirmations == 0; },
                   [&] { return progress::WaitReason{.communicator = window.comm().name().c_str()}; });
  return !std::exchange(epochs.refused, false);
}

void OneSided::on_confirmed(int, const PacketHeader& header, Payload) {
  objects::Epochs& epochs = reinterpret_cast<Window*>(header.word[0])->epochs();
  --epochs.confirmations;
  if ((header.flags & kRefused) != 0) epochs.refused = true;
}

// ---- the target's side
// ---------------------------------------------------------------------------------------------

// What is exposed by other windows the origin knows as well.
bool OneSided::may_reach(std::uint32_t context, std::uint64_t address, std::uint64_t bytes) const {
  const auto dynamic = dynamic_.find(context);
  return dynamic == dynamic_.end() || dynamic->second.window->is_attached(address, bytes);
}

// One run at the address in the header, or several: where they are, and then their bytes.
void OneSided::on_put(int source, const PacketHeader& header, Payload payload) {
  const auto runs = static_cast<std::size_t>(header.word[1]);
  if (runs == 0) return put_run(source, header.context, {header.word[0], payload.size()}, payload.data());
  const std::byte* data = payload.data() + runs * sizeof(Run);
  for (std::size_t i = 0; i < runs; ++i) {
    Run run{};
    std::memcpy(&run, payload.data() + i * sizeof run, sizeof run);
    put_run(source, header.context, run, data);
    data += run.bytes;
  }
}

void OneSided::put_run(int source, std::uint32_t context, const Run& run, const std::byte* data) {
  if (may_reach(context, run.address, run.bytes))
    std::memcpy(at(run.address), data, run.bytes);
  else
    dynamic_[context].refused.insert(source);
}

void OneSided::on_get(int source, const PacketHeader& header, Payload payload) {
  GetArgument argument{};
  std::memcpy(&argument, payload.data(), sizeof argument);
  if (may_reach(header.context, header.word[0], argument.bytes))
    answer({.world_origin = source,
            .header = {.handler = kGot, .word = {header.word[1], argument.offset}},
            .data = at(header.word[0]),
            .bytes = argument.bytes});
  else
    answer({.world_origin = source,
            .header = {.handler = kGot, .flags = kRefused, .word = {header.word[1], argument.bytes}}});
}

// Everything that came from there before has been done.
void OneSided::on_confirm(int source, const PacketHeader& header, Payload) {
  const auto dynamic = dynamic_.find(header.context);
  const bool refused = dynamic != dynamic_.end() && dynamic->second.refused.erase(source) != 0;
  answer({.world_origin = source,
          .header = {
              .handler = kConfirmed, .flags = refused ? kRefused : std::uint8_t{0}, .word = {header.word[0], 0}}});
}

// Behind others to the same process; those to different processes may overtake each other.
void OneSided::answer(Answer answer) {
  const auto waits = [&](const Answer& other) { return other.world_origin == answer.world_origin; };
  if (std::ranges::none_of(answers_, waits) && advance(answer)) return;
  answers_.push_back(answer);
  has_begun();
}

bool OneSided::advance(Answer& answer) {
  const std::size_t most = pt2pt_.max_payload(answer.world_origin);
  do {
    const std::size_t bytes = std::min(answer.bytes - answer.gone, most);
    if (!pt2pt_.try_packet(answer.world_origin, answer.header, {answer.data + answer.gone, bytes})) return false;
    answer.gone += bytes;
    answer.header.word[1] += bytes;
  } while (answer.gone != answer.bytes);
  return true;
}

// Puts to one process keep their order; those that cannot go on do not stop the others.
bool OneSided::push() {
  bool moved = false;
  std::set<int> stuck;
  for (auto next = answers_.begin(); next != answers_.end();) {
    const auto answer = next++;
    const std::size_t before = answer->gone;
    if (stuck.contains(answer->world_origin)) continue;
    const bool gone = advance(*answer);
    moved |= gone || answer->gone != before;
    if (gone)
      answers_.erase(answer);
    else
      stuck.insert(answer->world_origin);
  }
  stuck.clear();
  for (auto next = going_.begin(); next != going_.end();) {
    const auto operation = next++;
    const std::size_t before = operation->gone;
    if (stuck.contains(operation->world_target)) continue;
    const bool gone = advance(*operation);
    moved |= gone || operation->gone != before;
    if (gone)
      has_gone(operation);
    else
      stuck.insert(operation->world_target);
  }
  return moved;
}

}  // namespace antiphon::rma
