#include "engine/rma/accumulates.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "engine/packets.hpp"

namespace antiphon::rma {

using links::Outbound;
using objects::Ref;
using transport::Channel;
using transport::PacketHeader;
using transport::Payload;
using transport::SendStatus;

namespace {

constexpr std::size_t kMostRuns = 64;                            // in a packet, or listed at a time
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32;  // in a run: sums of their bytes do not overflow

std::byte* at(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

// What the header of an accumulate holds in place of a tag.
struct Order {
  std::uint8_t op;     // an Op::Kind
  std::uint8_t kind;   // an Element
  std::uint16_t runs;  // listed before the elements; 0: there is one run, and the header has its address
};

std::int32_t packed(Combining::Op op, objects::Element kind, std::size_t runs) {
  return std::bit_cast<std::int32_t>(
      Order{static_cast<std::uint8_t>(op), static_cast<std::uint8_t>(kind), static_cast<std::uint16_t>(runs)});
}
Combining combining_of(const packets::Incoming& packet, const Order& order) {
  packet.need(order.op < Combining::kOps && order.kind != 0 && order.kind < kElements,
              "there is no such operation, or no such kind of element");
  const Combining combining(static_cast<Combining::Op>(order.op),
                            Shape::of(static_cast<objects::Element>(order.kind)));
  packet.need(combining.is_defined(), "its operation is not defined on its kind of element");
  return combining;
}

using Promised = objects::Window::PromisedOps;
bool has_promised(const WindowState& state) { return state.window().promised_ops() != Promised::nothing; }

struct Comparison {
  std::byte compared[Accumulates::kMostCompared];
  std::byte value[Accumulates::kMostCompared];
};

// The value that was in memory goes to `result`.
void compare_and_swap_here(std::byte* memory, const Comparison& comparison, std::byte* result, std::size_t bytes) {
  base::copy_bytes<Accumulates::kMostCompared>(result, memory, bytes);
  if (std::memcmp(result, comparison.compared, bytes) == 0)
    base::copy_bytes<Accumulates::kMostCompared>(memory, comparison.value, bytes);
}

}  // namespace

// Keeps a section from one element to the next. Taking one for each element would cost as much as combining does, if
// elements are scattered.
class Accumulates::Holding {
 public:
  Holding(const Control& control, progress::Progress& progress) : control_(control), progress_(progress) {}
  ~Holding() { let_go(); }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

  // Combines elements. `address` is where the first is in the target's process, and `memory` where it is in this one.
  void combine(const Combining& combining, std::uint64_t address, std::byte* memory, const std::byte* operand,
               std::byte* fetched, std::size_t count) {
    const Shape& shape = combining.shape();
    while (count != 0) {
      need(address);
      const std::uint64_t room = control_.room_at(address);
      const std::size_t now = std::min<std::size_t>(count, (room + shape.extent - 1) / shape.extent);
      combining(memory, operand, fetched, now);
      address += now * shape.extent;
      memory += now * shape.extent;
      if (operand) operand += now * shape.bytes;
      if (fetched) fetched += now * shape.bytes;
      count -= now;
    }
  }
  // Takes the section of the element at `address`. Waits by polling, because its holder keeps it for less than a
  // microsecond, unless that loses its core.
  void need(std::uint64_t address) {
    Control::Section* const wanted = &control_.section(address);
    if (wanted == held_) return;
    let_go();
    for (int look = 0; !wanted->try_take();)
      while (wanted->taken.load(std::memory_order_relaxed) != 0) progress_.breathe(look++);
    held_ = wanted;
  }

 private:
  void let_go() {
    if (held_) held_->let_go();
    held_ = nullptr;
  }

  Control control_;
  progress::Progress& progress_;
  Control::Section* held_ = nullptr;
};

Accumulates::Accumulates(OneSided& one_sided, links::Links& links, transport::Dispatcher& dispatcher,
                         progress::Progress& progress)
    : one_sided_(one_sided), links_(links), progress_(progress) {
  dispatcher.on<&Accumulates::on_accumulate>(packets::kAccumulate, *this);
  dispatcher.on<&Accumulates::on_compare_and_swap>(packets::kCompareAndSwap, *this);
  dispatcher.on<&Accumulates::on_fetched>(packets::kFetched, *this);
  for (std::size_t op = 0; op != Combining::kOps; ++op)
    for (std::size_t kind = 0; kind != kElements; ++kind)
      kernels_[op][kind] =
          coll::arithmetic(static_cast<objects::Op::Kind>(op), static_cast<objects::Element>(kind)).into_left;
}

// ---- the origin's side

// An accumulate by packets. The origin has completed it when its last packet has been sent; if it fetches, when the
// last answer has arrived.
class Accumulates::Out final : public Outbound {
 public:
  // `fetch` and its cookie are null and 0 if the old values are not wanted.
  Out(const Operation& operation, const Accumulation& what, Fetch* fetch, links::Cookie cookie)
      : operation_(operation),
        what_(what),
        operand_(what.operand.scattered),
        remote_(what.remote.scattered),
        fetch_(fetch),
        cookie_(cookie) {}

  [[nodiscard]] Went advance(Channel& channel, std::size_t max_payload) override {
    const std::size_t before = gone_;
    while (gone_ != what_.bytes)
      if (!send_next(channel, max_payload)) return gone_ == before ? Went::nothing : Went::some;
    return Went::all;
  }
  void has_gone() override {
    if (!fetch_) operation_.over();
  }

 private:
  // The contents of a packet.
  struct Next {
    std::array<Elements, kMostRuns> runs;
    std::size_t count = 0;     // number of runs
    std::size_t elements = 0;  // in all of them
    std::size_t bytes = 0;     // of the payload
  };

  // The contents of the next packet. The answer has as many elements, and must fit into a packet, too.
  [[nodiscard]] Next next(std::size_t max_payload) const {
    const Shape& shape = what_.combining.shape();
    Next next;
    std::array<Elements, kMostRuns> found;
    const std::size_t listed = list_elements(what_.remote, shape, gone_, what_.bytes - gone_, found);
    const std::size_t each = what_.combining.has_operand() ? shape.bytes : 0;
    const Elements& first = found.front();
    const std::size_t most = max_payload / shape.bytes;
    if (listed == 1 || first.count >= most || sizeof(Elements) + shape.bytes > max_payload) {
      next.runs.front() = {first.address, std::min<std::size_t>(first.count, most)};
      next.elements = next.runs.front().count;
      next.bytes = each != 0 ? next.elements * each : sizeof(std::uint64_t);
      return next;
    }
    for (std::size_t i = 0; i != listed && next.elements < most; ++i) {
      if (next.bytes + sizeof(Elements) + each > max_payload) break;
      std::size_t fit = std::min<std::size_t>(found[i].count, most - next.elements);
      if (each != 0) fit = std::min(fit, (max_payload - next.bytes - sizeof(Elements)) / each);
      next.runs[next.count++] = {found[i].address, fit};
      next.elements += fit;
      next.bytes += sizeof(Elements) + fit * each;
    }
    return next;
  }

  [[nodiscard]] bool send_next(Channel& channel, std::size_t max_payload) {
    const Shape& shape = what_.combining.shape();
    const Next next = this->next(max_payload);
    std::byte* packet = channel.reserve(next.bytes);
    if (!packet) return false;
    const PacketHeader header{.handler = packets::kAccumulate,
                              .context = operation_.state().comm().context(),
                              .source = operation_.state().rank(),
                              .tag = packed(what_.combining.op(), shape.kind, next.count),
                              .word = {next.count == 0 ? next.runs.front().address : 0, cookie_}};
    std::memcpy(packet, next.runs.data(), next.count * sizeof(Elements));
    packet += next.count * sizeof(Elements);
    const std::size_t bytes = next.elements * shape.bytes;
    if (what_.combining.has_operand())
      data::pack_part(what_.operand.buffer, what_.operand.scattered, gone_, packet, bytes);
    else if (next.count == 0)
      std::memcpy(packet, &next.elements, sizeof next.elements);
    channel.commit(header, next.bytes);
    gone_ += bytes;
    if (fetch_) fetch_->asked = gone_;
    return true;
  }

  Operation operation_;
  Accumulation what_;
  data::KeptType operand_, remote_;
  Fetch* fetch_;  // lives until all of it has been asked for and answered
  links::Cookie cookie_;
  std::size_t gone_ = 0;
};

links::Cookie Accumulates::expect(const Operation& operation, const LocalSide& result, std::size_t bytes) {
  const int process = operation.state().comm().world_rank(operation.target());
  return fetches_.add(
      process,
      Fetch{.operation = operation, .result = result, .bytes = bytes, .type = data::KeptType(result.scattered)});
}

// Checks what the info key accumulate_ops promises: fails with ERR_RMA_CONFLICT if a different operation has been
// applied to this memory since the last synchronization. Otherwise notes the operation.
void Accumulates::keep_promise(WindowState& state, const char* op, const Shape& shape, const Wanted& wanted,
                               const RemoteSide& remote, std::size_t bytes) {
  const Promised promised = state.window().promised_ops();
  if (promised == Promised::same_or_none && std::string_view(op) == objects::Op::name_of(objects::Op::Kind::no_op))
    return;
  AppliedOps& applied = state.applied_to(wanted.target);
  std::array<Elements, kMostRuns> runs;
  const auto for_each = [&](auto&& take) {
    for (std::size_t offset = 0; offset != bytes;) {
      const std::size_t listed = list_elements(remote, shape, offset, bytes - offset, runs);
      for (const Elements& run : std::span(runs).first(listed)) {
        take(run.address, run.address + shape.span(run.count));
        offset += run.count * shape.bytes;
      }
    }
  };
  for_each([&](std::uint64_t begin, std::uint64_t end) {
    if (const char* other = applied.other_than(op, begin, end))
      base::fail(abi::ERR_RMA_CONFLICT,
                 fmt::format("target_disp={}: {} to memory of rank {} in {} that {} was applied to since the last "
                             "synchronization; its info says that accumulate_ops is {}",
                             wanted.displacement, op, wanted.target, state.window().title(), other,
                             promised == Promised::same ? "same_op" : "same_op_no_op"));
  });
  for_each([&](std::uint64_t begin, std::uint64_t end) { applied.note(op, begin, end); });
}

void Accumulates::begin(WindowState& state, const Combining& combining, const LocalSide& operand,
                        const LocalSide& result, const Wanted& remote, std::size_t bytes,
                        Ref<OperationRequest>* request) {
  const OneSided::Reach reached = one_sided_.reach(state, remote);
  if (has_promised(state))
    keep_promise(state, objects::Op::name_of(combining.op()), combining.shape(), remote, reached.remote, bytes);
  state.use();
  if (bytes == 0) return;
  const Accumulation what{.combining = combining,
                          .target = remote.target,
                          .operand = operand,
                          .result = result,
                          .remote = reached.remote,
                          .bytes = bytes};
  if (reached.here && state.of(remote.target).control) return do_directly(state, what, reached.here);
  const Operation operation(state, remote.target, request);
  const links::Cookie cookie = what.fetches() ? expect(operation, result, bytes) : 0;
  if (cookie == 0) state.needs_confirmation(remote.target);
  links_.submit(links_.to(state.comm().world_rank(remote.target)),
                std::make_unique<Out>(operation, what, cookie != 0 ? &fetches_[cookie] : nullptr, cookie));
}

// If the operand or the result is scattered, it is packed or unpacked, some elements at a time.
void Accumulates::do_directly(const WindowState& state, const Accumulation& what, std::byte* here) {
  const Combining& combining = what.combining;
  const Shape& shape = combining.shape();
  Holding holding(state.of(what.target).control, progress_);
  constexpr std::size_t kRoom = 4096;
  alignas(std::max_align_t) std::array<std::byte, kRoom> packed, fetched;
  const bool packs = combining.has_operand() && what.operand.scattered;
  const bool unpacks = what.fetches() && what.result.scattered;
  if (!packs && !unpacks && !what.remote.scattered) [[likely]] {
    std::byte* const operand = combining.has_operand() ? what.operand.buffer : nullptr;
    std::byte* const result = what.result.buffer;
    return holding.combine(combining, what.remote.address, here, operand, result, what.bytes / shape.bytes);
  }
  const std::size_t most = packs || unpacks ? kRoom / shape.bytes * shape.bytes : what.bytes;
  std::array<Elements, kMostRuns> runs;
  for (std::size_t offset = 0; offset != what.bytes;) {
    const std::size_t listed = list_elements(what.remote, shape, offset, std::min(most, what.bytes - offset), runs);
    std::size_t bytes = 0;
    for (const Elements& run : std::span(runs).first(listed)) bytes += run.count * shape.bytes;
    const std::byte* from = combining.has_operand() ? what.operand.buffer + offset : nullptr;
    std::byte* to = what.fetches() ? what.result.buffer + offset : nullptr;
    if (packs) {
      data::pack_part(what.operand.buffer, what.operand.scattered, offset, packed.data(), bytes);
      from = packed.data();
    }
    if (unpacks) to = fetched.data();
    for (const Elements& run : std::span(runs).first(listed)) {
      holding.combine(combining, run.address, here + (run.address - what.remote.address), from, to, run.count);
      if (from) from += run.count * shape.bytes;
      if (to) to += run.count * shape.bytes;
    }
    if (unpacks) data::unpack_part(what.result.buffer, what.result.scattered, offset, fetched.data(), bytes);
    offset += bytes;
  }
}

void Accumulates::compare_and_swap(WindowState& state, const Shape& shape, const std::byte* value,
                                   const std::byte* compared, std::byte* result, const Wanted& remote) {
  const OneSided::Reach reached = one_sided_.reach(state, remote);
  if (has_promised(state)) keep_promise(state, "MPI_Compare_and_swap", shape, remote, reached.remote, shape.bytes);
  state.use();
  Comparison comparison{};
  base::copy_bytes<kMostCompared>(comparison.compared, compared, shape.bytes);
  base::copy_bytes<kMostCompared>(comparison.value, value, shape.bytes);
  if (reached.here && state.of(remote.target).control) {
    Holding holding(state.of(remote.target).control, progress_);
    holding.need(reached.remote.address);
    return compare_and_swap_here(reached.here, comparison, result, shape.bytes);
  }
  const links::Cookie cookie = expect(Operation(state, remote.target, nullptr), {result, {}}, shape.bytes);
  fetches_[cookie].asked = shape.bytes;
  const PacketHeader header{.handler = packets::kCompareAndSwap,
                            .context = state.comm().context(),
                            .source = state.rank(),
                            .tag = packed(Combining::Op::replace, shape.kind, 0),
                            .word = {reached.remote.address, cookie}};
  links_.send_control(links_.to(state.comm().world_rank(remote.target)), header, comparison);
}

// Answers arrive in the order in which this process asked.
void Accumulates::on_fetched(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(kRefused);
  const bool refused = (header.flags & kRefused) != 0;
  Fetch& fetch = packet.named(fetches_, header.word[0]);
  const std::uint64_t bytes = refused ? packet.argument<std::uint64_t>() : payload.size();
  packet.need(bytes != 0 && bytes <= fetch.asked - fetch.arrived,
              "it answers for no elements, or for more than were asked for");
  if (refused)
    fetch.operation.refused();
  else
    data::unpack_part(fetch.result.buffer, fetch.result.scattered, fetch.arrived, payload.data(), payload.size());
  fetch.arrived += bytes;
  if (fetch.arrived != fetch.bytes) return;
  Operation operation = fetch.operation;
  fetches_.end(header.word[0]);
  operation.over();
}

// ---- the target's side

namespace {

// An answer for which the channel had no room at once.
class FetchedOut final : public Outbound {
 public:
  FetchedOut(const PacketHeader& header, std::span<const std::byte> fetched)
      : header_(header), fetched_(fetched.begin(), fetched.end()) {}
  [[nodiscard]] Went advance(Channel& channel, std::size_t) override {
    return channel.try_send(header_, fetched_) == SendStatus::sent ? Went::all : Went::nothing;
  }

 private:
  PacketHeader header_;
  std::vector<std::byte> fetched_;
};

bool exposes(const WindowState& state, const Elements& run, const Shape& shape) {
  return state.exposes(run.address, shape.span(run.count));
}

}  // namespace

void Accumulates::answer(int process, links::Cookie cookie, std::span<const std::byte> fetched) {
  const PacketHeader header{.handler = packets::kFetched, .word = {cookie, 0}};
  links::Link& link = links_.to(process);
  if (!link.try_packet(header, fetched)) links_.submit(link, std::make_unique<FetchedOut>(header, fetched));
}

// Carries out everything that a packet asks for, or nothing.
void Accumulates::on_accumulate(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  WindowState& state = one_sided_.window_of(packet);
  const auto order = std::bit_cast<Order>(header.tag);
  const Combining combining = combining_of(packet, order);
  const Shape& shape = combining.shape();
  const std::size_t listed = order.runs * sizeof(Elements);
  packet.need(order.runs <= kMostRuns && listed <= payload.size(), "it lists more runs than it has room for");
  const std::byte* operand = payload.data() + listed;
  std::array<Elements, kMostRuns> runs;
  std::size_t count = order.runs;
  if (count == 0) {
    count = 1;
    runs.front() = {header.word[0],
                    combining.has_operand() ? payload.size() / shape.bytes : packet.argument<std::uint64_t>()};
  } else {
    std::memcpy(runs.data(), payload.data(), listed);
  }
  const std::span<const Elements> all(runs.data(), count);
  std::uint64_t bytes = 0;
  for (const Elements& run : all) {
    packet.need(run.count != 0 && run.count <= kMostElements,
                "a run has no elements, or more than a packet asks for");
    packet.need(state.is_dynamic() || exposes(state, run, shape), "this process does not expose those elements");
    bytes += run.count * shape.bytes;
  }
  packet.need(!combining.has_operand() || bytes == payload.size() - listed,
              "its runs have another number of elements than its payload");
  const bool fetches = header.word[1] != 0;
  packet.need(!fetches || bytes <= links_.to(source).channel().capabilities().max_payload,
              "its answer does not fit into a packet");
  if (!std::ranges::all_of(all, [&](const Elements& run) { return exposes(state, run, shape); })) {
    if (!fetches) return state.refuse(source);
    return links_.send_control(links_.to(source),
                               {.handler = packets::kFetched, .flags = kRefused, .word = {header.word[1], 0}}, bytes);
  }
  fetched_.resize(fetches ? bytes : 0);
  {
    Holding holding(state.control(), progress_);
    std::byte* to = fetches ? fetched_.data() : nullptr;
    for (const Elements& run : all) {
      holding.combine(combining, run.address, at(run.address), combining.has_operand() ? operand : nullptr, to,
                      run.count);
      operand += run.count * shape.bytes;
      if (to) to += run.count * shape.bytes;
    }
  }
  if (fetches) answer(source, header.word[1], fetched_);
}

void Accumulates::on_compare_and_swap(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  WindowState& state = one_sided_.window_of(packet);
  const Shape shape = combining_of(packet, std::bit_cast<Order>(header.tag)).shape();
  const auto comparison = packet.argument<Comparison>();
  const std::uint64_t bytes = shape.bytes;
  packet.need(can_be_compared(shape.kind), "elements of that kind cannot be compared");
  need_exposed(packet, state, header.word[0], bytes);
  if (!exposes(state, {header.word[0], 1}, shape))
    return links_.send_control(links_.to(source),
                               {.handler = packets::kFetched, .flags = kRefused, .word = {header.word[1], 0}}, bytes);
  std::byte result[kMostCompared];
  {
    Holding holding(state.control(), progress_);
    holding.need(header.word[0]);
    compare_and_swap_here(at(header.word[0]), comparison, result, bytes);
  }
  answer(source, header.word[1], {result, bytes});
}

}  // namespace antiphon::rma
