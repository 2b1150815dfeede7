#include "engine/rma/one_sided.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "engine/data/move.hpp"
#include "engine/packets.hpp"
#include "engine/rma/carried_put.hpp"
#include "engine/rma/system_copy.hpp"

namespace antiphon::rma {

using objects::Ref;
using objects::Window;
using transport::PacketHeader;
using transport::Payload;

namespace {

std::byte* at(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

}  // namespace

OneSided::OneSided(pt2pt::Messages& pt2pt, links::Links& links, transport::Dispatcher& dispatcher,
                   progress::Progress& progress, MemoryOf memory_of, const settings::Values& settings,
                   counters::Counters& counters)
    : links_(links),
      progress_(progress),
      memory_of_(std::move(memory_of)),
      settings_(settings),
      counters_(counters),
      long_transfers_(*this, pt2pt, links, dispatcher, progress, settings) {
  dispatcher.on<&OneSided::on_put>(packets::kPut, *this);
  dispatcher.on<&OneSided::on_get>(packets::kGet, *this);
  dispatcher.on<&OneSided::on_got>(packets::kGot, *this);
  dispatcher.on<&OneSided::on_confirm>(packets::kConfirm, *this);
  dispatcher.on<&OneSided::on_confirmed>(packets::kConfirmed, *this);
}

// ---- windows

void OneSided::admit(Ref<Window> window, std::span<const Exposed> exposed, std::uint64_t granularity) {
  Window& admitted = *window;
  auto state = std::make_unique<WindowState>(std::move(window), exposed, granularity);
  admitted.set_state(state.get());
  windows_[admitted.comm().context()] = std::move(state);
}

void OneSided::dismiss(Window& window) {
  window.set_state(nullptr);
  windows_.erase(window.comm().context());
}

WindowState* OneSided::find_window(std::uint32_t context) const {
  const auto found = windows_.find(context);
  return found == windows_.end() ? nullptr : found->second.get();
}

bool OneSided::exposes(const void* start, std::size_t bytes) const {
  return std::ranges::any_of(windows_, [&](const auto& entry) { return entry.second->window().uses(start, bytes); });
}

// Maps the memory and the words of a member, if that is possible. Of a dynamic window only the words, because only
// the member knows which memory is attached.
void OneSided::look_for(WindowState& state, int rank) {
  WindowState::Target& member = state.of(rank);
  member.looked_for = true;
  const Exposed& part = member.exposed;
  const auto find = [&](int home, std::uint64_t address, std::size_t bytes) -> std::byte* {
    if (home == state.rank()) return at(address);
    transport::PeerMemory* const memory = memory_of_(state.comm().world_rank(home));
    return memory ? memory->mapped(address, bytes) : nullptr;
  };
  if (!state.is_dynamic()) member.here = find(part.home, part.address, part.bytes);
  if (rank == state.rank() || part.control == 0) return;
  if (std::byte* const control = find(rank, part.control, Control::bytes(state.size()))) {
    member.control = Control(control, state.size());
    member.memory = memory_of_(state.comm().world_rank(rank));
  }
}

// ---- the origin's side

namespace {

[[noreturn, gnu::cold]] void out_of_range(const WindowState& state, const Wanted& wanted) {
  base::fail(
      abi::ERR_RMA_RANGE,
      fmt::format("target_disp={} with target_count={} elements of {}: not all of that is in the {} bytes that "
                  "rank {} exposes in {}",
                  wanted.displacement, wanted.count, wanted.type.description(), state.of(wanted.target).exposed.bytes,
                  wanted.target, state.window().title()));
}

[[noreturn, gnu::cold]] void not_attached_here(const WindowState& state, const Wanted& wanted) {
  base::fail(abi::ERR_RMA_RANGE,
             fmt::format("target_disp={}: not all of the data there is in memory that is attached to {}",
                         wanted.displacement, state.window().title()));
}

[[noreturn, gnu::cold]] void fail(const WindowState& state, const Wanted& wanted, Resolved::Verdict verdict) {
  if (verdict == Resolved::Verdict::no_epoch) state.no_epoch(wanted.target);
  if (verdict == Resolved::Verdict::out_of_range) out_of_range(state, wanted);
  base::fail(abi::ERR_DISP, fmt::format("target_disp={} is negative: it counts from the beginning of the target's "
                                        "window",
                                        wanted.displacement));
}

Extent extent_of(const Wanted& wanted) {
  if (wanted.bytes == 0) return {0, 0};
  if (wanted.type.in_one_piece()) [[likely]]
    return {0, static_cast<std::int64_t>(wanted.bytes)};
  std::int64_t last = 0;
  const std::int64_t begin = wanted.type.true_lb(), end = begin + wanted.type.true_extent();
  std::int64_t last_begin = 0, last_end = 0;
  if (__builtin_mul_overflow(wanted.count - 1, wanted.type.extent(), &last) ||
      __builtin_add_overflow(begin, last, &last_begin) || __builtin_add_overflow(end, last, &last_end))
    base::fail(abi::ERR_COUNT, fmt::format("target_count={} elements of {} are more bytes than an address space has",
                                           wanted.count, wanted.type.description()));
  return {std::min(begin, last_begin), std::max(end, last_end)};
}

bool is_in_one_piece(const LocalSide& local, const Wanted& remote, std::size_t bytes) {
  return !local.scattered && remote.type.in_one_piece() && bytes == remote.bytes;
}

}  // namespace

void OneSided::open(WindowState& state, int target) {
  await_post(state, target, [&] { return state.has_posted(target, state.of(target).accesses); });
  CarriedPut(state, target).do_now();
}

OneSided::Reach OneSided::reach(WindowState& state, const Wanted& wanted) {
  const Extent touched = extent_of(wanted);
  if (find(state, wanted.target).started) open(state, wanted.target);
  Resolved resolved = state.resolve(wanted.target, wanted.displacement, touched);
  if (resolved.verdict == Resolved::Verdict::negative) [[unlikely]]
    resolved = state.resolve_negative(wanted.target, wanted.displacement, touched);
  if (resolved.verdict != Resolved::Verdict::may_go) [[unlikely]]
    fail(state, wanted, resolved.verdict);
  Reach reach{{resolved.address, {}}, resolved.here, true};
  if (state.is_dynamic()) {
    const std::uint64_t first = resolved.address + static_cast<std::uint64_t>(touched.begin);
    const auto bytes = static_cast<std::uint64_t>(touched.end - touched.begin);
    if (wanted.target != state.rank()) {
      const Control& control = state.of(wanted.target).control;
      reach.is_exposed = control && control.attached().covers(first, bytes);
    } else {
      if (!state.window().is_attached(first, bytes)) not_attached_here(state, wanted);
      reach.here = at(resolved.address);
    }
  }
  if (wanted.type.in_one_piece()) [[likely]]
    return reach;
  const layout::Layout& layout = wanted.type.layout();
  if (wanted.bytes == 0 || layout.contiguous() || (wanted.count == 1 && layout.one().is_run())) {
    reach.remote.address += static_cast<std::uint64_t>(layout.displacement());
    if (reach.here) reach.here += layout.displacement();
  } else {
    reach.remote.scattered = {&wanted.type, wanted.count};
  }
  return reach;
}

void OneSided::begin(WindowState& state, Transfer::Kind kind, const LocalSide& local, const Wanted& remote,
                     std::size_t bytes, Ref<OperationRequest>* request) {
  if (kind == Transfer::Kind::put && is_in_one_piece(local, remote, bytes) &&
      CarriedPut(state, remote.target).try_take(local.buffer, bytes, remote.displacement))
    return;
  const Reach reached = reach(state, remote);
  state.use();
  if (bytes == 0) return;
  const Transfer transfer{
      .kind = kind, .target = remote.target, .local = local, .remote = reached.remote, .bytes = bytes};
  if (reached.here) [[likely]]
    return copy_directly(transfer, reached.here);
  if (reached.is_exposed && may_copy_alone(state.of(remote.target)) && suits_system(transfer) &&
      copy_alone(state, transfer))
    return;
  if (long_transfers_.begin(state, transfer, request)) return;
  begin_packets(state, transfer, request);
}

// A locked target may compute for a long time without a poll, so the system copies. In other epochs the target calls
// MPI anyway, and two processes copy faster than one.
bool OneSided::may_copy_alone(const WindowState::Target& target) const {
  using settings::BulkWay;
  const bool is_wanted = settings_.bulk_way == BulkWay::automatic || settings_.bulk_way == BulkWay::direct;
  return is_wanted && target.locked != WindowState::Locked::no && target.system_copies;
}

bool OneSided::copy_alone(WindowState& state, const Transfer& transfer) {
  WindowState::Target& target = state.of(transfer.target);
  transport::PeerMemory* const memory = memory_of_(state.comm().world_rank(transfer.target));
  target.system_copies = memory && copy_by_system(transfer, *memory);
  if (target.system_copies) counters_.window_copies.add();
  return target.system_copies;
}

void OneSided::begin_packets(WindowState& state, const Transfer& transfer, Ref<OperationRequest>* request) {
  links::Link& link = links_.to(state.comm().world_rank(transfer.target));
  const Operation operation(state, transfer.target, request);
  if (transfer.kind == Transfer::Kind::put) {
    state.needs_confirmation(transfer.target);
    return links_.submit(link, std::make_unique<PutOut>(operation, transfer));
  }
  PendingGet& get = gets_.emplace_back(operation, transfer);
  get.self = std::prev(gets_.end());
  links_.submit(link, std::make_unique<GetOut>(get));
}

void OneSided::on_got(int, const PacketHeader& header, Payload payload) {
  auto& get = *static_cast<PendingGet*>(reinterpret_cast<Get*>(header.word[0]));
  if ((header.flags & kRefused) != 0) {
    get.operation.refused();
    get.arrived += links::argument_of<GetArgument>(payload).bytes;
  } else {
    const LocalSide& local = get.transfer.local;
    data::unpack_part(local.buffer, local.scattered, header.word[1], payload.data(), payload.size());
    get.arrived += payload.size();
  }
  if (get.arrived != get.transfer.bytes) return;
  get.operation.over();
  gets_.erase(get.self);
}

template <class Done>
void OneSided::wait(const WindowState& state, Done&& done) {
  progress_.wait(done, [&] { return progress::WaitReason{.communicator = state.comm().name().c_str()}; });
}

void OneSided::wait_here(const WindowState& state) {
  wait(state, [&] { return state.under_way() == 0; });
}

void OneSided::finish_here(const WindowState& state, int target) {
  if (state.of(target).under_way != 0) [[unlikely]]
    wait(state, [&] { return state.of(target).under_way == 0; });
}

void OneSided::ask_to_confirm(WindowState& state, int target) {
  links_.send_control(links_.to(state.comm().world_rank(target)),
                      {.handler = packets::kConfirm,
                       .context = state.comm().context(),
                       .word = {reinterpret_cast<std::uintptr_t>(&state), static_cast<std::uint64_t>(target)}});
}

bool OneSided::finish_there(WindowState& state) {
  finish_here(state);
  for (const int target : state.ask_for_confirmations()) ask_to_confirm(state, target);
  if (!state.all_confirmed()) wait(state, [&] { return state.all_confirmed(); });
  return !state.take_refused();
}

bool OneSided::finish_there(WindowState& state, int target) {
  finish_here(state, target);
  if (state.ask_for_confirmation(target)) ask_to_confirm(state, target);
  if (state.of(target).confirmations != 0) wait(state, [&] { return state.of(target).confirmations == 0; });
  return !state.take_refused();
}

void OneSided::on_confirmed(int, const PacketHeader& header, Payload) {
  auto& state = *reinterpret_cast<WindowState*>(header.word[0]);
  state.confirmed(static_cast<int>(header.word[1]));
  if ((header.flags & kRefused) != 0) state.refused();
}

// ---- the target's side

namespace {

// For windows that are not dynamic, the origin has checked this.
bool may_reach(const WindowState* state, const Run& run) {
  return !state || !state->is_dynamic() || state->window().is_attached(run.address, run.bytes);
}

void put_run(int origin, WindowState* state, const Run& run, const std::byte* from) {
  if (may_reach(state, run))
    data::unpack_part(at(run.address), {}, 0, from, run.bytes);
  else
    state->refuse(origin);
}

}  // namespace

// The payload is one run, at the address in the header, or the addresses and lengths of several runs and then their
// bytes.
void OneSided::on_put(int source, const PacketHeader& header, Payload payload) {
  const auto runs = static_cast<std::size_t>(header.word[1]);
  WindowState* const state = find_window(header.context);
  if (runs == 0) return put_run(source, state, {header.word[0], payload.size()}, payload.data());
  const std::byte* from = payload.data() + runs * sizeof(Run);
  for (std::size_t i = 0; i < runs; ++i) {
    Run run{};
    std::memcpy(&run, payload.data() + i * sizeof run, sizeof run);
    put_run(source, state, run, from);
    from += run.bytes;
  }
}

void OneSided::on_get(int source, const PacketHeader& header, Payload payload) {
  const auto wanted = links::argument_of<GetArgument>(payload);
  const Payload listed = payload.subspan(sizeof wanted);
  std::vector<Run> runs(listed.size() / sizeof(Run), Run{});
  if (runs.empty())
    runs.push_back({header.word[0], wanted.bytes});
  else
    std::memcpy(runs.data(), listed.data(), listed.size());
  links::Link& link = links_.to(source);
  const WindowState* const state = find_window(header.context);
  if (std::ranges::all_of(runs, [&](const Run& run) { return may_reach(state, run); }))
    links_.submit(link, std::make_unique<GotOut>(header.word[1], wanted, std::move(runs)));
  else
    links_.send_control(link, {.handler = packets::kGot, .flags = kRefused, .word = {header.word[1], 0}}, wanted);
}

// All earlier packets from this origin have been carried out.
void OneSided::on_confirm(int source, const PacketHeader& header, Payload) {
  WindowState* const state = find_window(header.context);
  const bool refused = state && state->take_refused(source);
  links_.send_control(links_.to(source), {.handler = packets::kConfirmed,
                                          .flags = refused ? kRefused : std::uint8_t{0},
                                          .word = {header.word[0], header.word[1]}});
}

}  // namespace antiphon::rma
