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

WindowState* OneSided::find_window_of(const packets::Incoming& packet) const {
  WindowState* const state = find_window(packet.header.context);
  if (state)
    packet.need(state->is_member(packet.header.source, packet.source),
                "its source is the rank of another process, or of none");
  return state;
}

WindowState& OneSided::window_of(const packets::Incoming& packet) const {
  WindowState* const state = find_window_of(packet);
  packet.need(state != nullptr, "no window has its context");
  return *state;
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
  const links::Cookie cookie = gets_.add(link.process(), operation, transfer);
  links_.submit(link, std::make_unique<GetOut>(gets_[cookie], cookie));
}

// A get is not over before all of it has been asked for, because the link's queue uses it until then.
void OneSided::on_got(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(kRefused);
  const bool refused = (header.flags & kRefused) != 0;
  Get& get = packet.named(gets_, header.word[0]);
  const std::uint64_t bytes = refused ? packet.argument<GetArgument>().bytes : payload.size();
  packet.need(bytes != 0 && bytes <= get.asked - get.arrived,
              "it answers for no bytes, or for more than were asked for");
  if (refused) {
    get.operation.refused();
  } else {
    const LocalSide& local = get.transfer.local;
    const std::uint64_t offset = header.word[1];
    packet.need(offset <= get.asked && bytes <= get.asked - offset, "it brings bytes that were not asked for");
    data::unpack_part(local.buffer, local.scattered, offset, payload.data(), payload.size());
  }
  get.arrived += bytes;
  if (get.arrived != get.transfer.bytes) return;
  Operation operation = get.operation;
  gets_.end(header.word[0]);
  operation.over();
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
                      {.handler = packets::kConfirm, .context = state.comm().context(), .source = state.rank()});
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

void OneSided::on_confirmed(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(kRefused);
  packet.need_no_payload();
  WindowState& state = window_of(packet);
  packet.need(state.of(header.source).confirmations > 0, "nobody has asked for it");
  state.confirmed(header.source);
  if ((header.flags & kRefused) != 0) state.refused();
}

// ---- the target's side

namespace {

void put_run(int origin, WindowState& state, const Run& run, const std::byte* from) {
  if (state.exposes(run.address, run.bytes))
    data::unpack_part(at(run.address), {}, 0, from, run.bytes);
  else
    state.refuse(origin);
}

Run run_at(Payload runs, std::size_t index) {
  Run run{};
  std::memcpy(&run, runs.data() + index * sizeof run, sizeof run);
  return run;
}

}  // namespace

// The payload is one run, at the address in the header, or the addresses and lengths of several runs and then their
// bytes.
void OneSided::on_put(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  WindowState& state = window_of(packet);
  const std::uint64_t count = header.word[1];
  if (count == 0) {
    const Run run{header.word[0], payload.size()};
    need_exposed(packet, state, run.address, run.bytes);
    return put_run(source, state, run, payload.data());
  }
  packet.need(count <= payload.size() / sizeof(Run), "it lists more runs than it has room for");
  const Payload runs = payload.first(count * sizeof(Run)), bytes = payload.subspan(runs.size());
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Run run = run_at(runs, i);
    need_exposed(packet, state, run.address, run.bytes);
    packet.need(run.bytes <= bytes.size() - sum, "its runs are longer than its payload");
    sum += run.bytes;
  }
  packet.need(sum == bytes.size(), "its runs are shorter than its payload");
  const std::byte* from = bytes.data();
  for (std::size_t i = 0; i < count; ++i) {
    const Run run = run_at(runs, i);
    put_run(source, state, run, from);
    from += run.bytes;
  }
}

void OneSided::on_get(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  WindowState& state = window_of(packet);
  const auto wanted = packet.beginning<GetArgument>();
  const Payload listed = payload.subspan(sizeof wanted);
  packet.need(listed.size() % sizeof(Run) == 0, "its payload ends within a run");
  std::vector<Run> runs(listed.size() / sizeof(Run), Run{});
  if (runs.empty())
    runs.push_back({header.word[0], wanted.bytes});
  else
    std::memcpy(runs.data(), listed.data(), listed.size());
  std::uint64_t left = wanted.bytes;
  for (const Run& run : runs) {
    need_exposed(packet, state, run.address, run.bytes);
    packet.need(run.bytes <= left, "its runs have more bytes than it asks for");
    left -= run.bytes;
  }
  packet.need(wanted.bytes != 0 && left == 0, "its runs have fewer bytes than it asks for");
  links::Link& link = links_.to(source);
  if (std::ranges::all_of(runs, [&](const Run& run) { return state.exposes(run.address, run.bytes); }))
    links_.submit(link, std::make_unique<GotOut>(*this, state, header.word[1], wanted, std::move(runs)));
  else
    links_.send_control(link, {.handler = packets::kGot, .flags = kRefused, .word = {header.word[1], 0}}, wanted);
}

// All earlier packets from this origin have been carried out.
void OneSided::on_confirm(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  packet.need_no_payload();
  WindowState& state = window_of(packet);
  links_.send_control(links_.to(source), {.handler = packets::kConfirmed,
                                          .flags = state.take_refused(source) ? kRefused : std::uint8_t{0},
                                          .context = header.context,
                                          .source = state.rank()});
}

}  // namespace antiphon::rma
