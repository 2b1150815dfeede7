#include "engine/rma/long_transfers.hpp"

#include "engine/packets.hpp"
#include "engine/rma/one_sided.hpp"

namespace antiphon::rma {

using objects::Datatype;
using objects::Ref;
using transport::PacketHeader;
using transport::Payload;

namespace {

// Tags of these messages, in the window's communicator.
constexpr std::int32_t kPut = 3, kGot = 4;

constexpr std::uint8_t kScattered = 2;  // a flag of orders: the target's side is scattered

Ref<Datatype> a_byte() {
  using objects::Element;
  return Ref<Datatype>::adopt(new Datatype(Element::byte, objects::basics_of(Element::byte, 1, 0), 1, "MPI_BYTE"));
}

Ref<Datatype> loop(std::int64_t count, std::int64_t length, std::int64_t stride, const Ref<Datatype>& body) {
  return Ref<Datatype>::adopt(new Datatype(
      {.combiner = abi::COMBINER_HVECTOR, .large = true, .numbers = {count, length, stride}, .types = {body}}));
}

// The datatype of a layout, relative to the layout's displacement.
Ref<Datatype> type_of(const layout::Regular& layout, const Ref<Datatype>& byte) {
  Ref<Datatype> made = loop(1, layout.block, 0, byte);
  for (std::size_t depth = layout.loops.size(); depth-- != 0;)
    made = loop(layout.loops[depth].count, 1, layout.loops[depth].stride, made);
  made->commit();
  return made;
}

}  // namespace

LongTransfers::LongTransfers(const OneSided& one_sided, pt2pt::Messages& pt2pt, links::Links& links,
                             transport::Dispatcher& dispatcher, progress::Progress& progress,
                             const settings::Values& settings)
    : one_sided_(one_sided), pt2pt_(pt2pt), links_(links), settings_(settings), byte_(a_byte()) {
  progress.add(*this);
  dispatcher.on<&LongTransfers::on_long_put>(packets::kLongPut, *this);
  dispatcher.on<&LongTransfers::on_long_get>(packets::kLongGet, *this);
  dispatcher.on<&LongTransfers::on_long_put_done>(packets::kLongPutDone, *this);
}

// ---- the origin's side

bool LongTransfers::begin(WindowState& state, const Transfer& transfer, Ref<OperationRequest>* request) {
  links::Link& link = links_.to(state.comm().world_rank(transfer.target));
  if (transfer.bytes <= link.eager_limit() || settings_.bulk_way == settings::BulkWay::packets) return false;
  if (!link.channel().peer_memory()) return false;
  std::optional<layout::Regular> layout;
  if (transfer.remote.scattered) {
    layout = data::in_few_words(transfer.remote.scattered);
    if (!layout || link.max_payload() < sizeof(ScatteredOrder)) return false;
  }
  const Operation operation(state, transfer.target, request);
  objects::Comm& comm = state.comm();
  const LocalSide& local = transfer.local;
  PacketHeader header{.context = comm.context(), .source = comm.rank(), .word = {transfer.remote.address, 0}};
  if (transfer.kind == Transfer::Kind::put) {
    const links::Cookie cookie = putting_.add(link.process(), Putting{.operation = operation, .leaving = {}});
    header.handler = packets::kLongPut;
    header.word[1] = cookie;
    tell_order(link, header, transfer.bytes, layout);
    putting_[cookie].leaving = pt2pt_.start_send({.buffer = local.buffer,
                                                  .bytes = transfer.bytes,
                                                  .destination = transfer.target,
                                                  .tag = kPut,
                                                  .comm = comm,
                                                  .space = comm.user_space(),
                                                  .scattered = local.scattered});
  } else {
    getting_.push_back({.operation = operation,
                        .arriving = pt2pt_.start_receive({.buffer = local.buffer,
                                                          .capacity = transfer.bytes,
                                                          .source = transfer.target,
                                                          .tag = kGot,
                                                          .comm = comm,
                                                          .space = comm.user_space(),
                                                          .scattered = local.scattered}),
                        .bytes = transfer.bytes});
    has_begun();
    header.handler = packets::kLongGet;
    tell_order(link, header, transfer.bytes, layout);
  }
  return true;
}

void LongTransfers::tell_order(links::Link& to, PacketHeader header, std::size_t bytes,
                               const std::optional<layout::Regular>& layout) {
  const Order order{bytes};
  if (!layout) return links_.send_control(to, header, order);
  header.flags = kScattered;
  links_.send_control(to, header, ScatteredOrder{order, *layout});
}

void LongTransfers::on_long_put_done(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(kRefused);
  packet.need_no_payload();
  Putting& put = packet.named(putting_, header.word[0]);
  packet.need(!put.leaving || put.leaving->done(), "not all data has been sent");
  Operation operation = put.operation;
  putting_.end(header.word[0]);
  if ((header.flags & kRefused) != 0) operation.refused();
  operation.over();
}

// ---- the target's side

LongTransfers::Side LongTransfers::side_of(const WindowState& state, const packets::Incoming& packet) const {
  packet.need(links_.to(packet.source).channel().peer_memory(), "that process's memory cannot be accessed");
  std::uint64_t address = packet.header.word[0];
  const bool is_scattered = (packet.header.flags & kScattered) != 0;
  const Order order = is_scattered ? packet.argument<ScatteredOrder>().order : packet.argument<Order>();
  packet.need(order.bytes != 0 && order.bytes <= INT64_MAX,
              "it is about no bytes, or more than an address space has");
  Side side{nullptr, order.bytes, {}};
  std::uint64_t first = address, span = order.bytes;
  if (is_scattered) {
    const layout::Regular layout = packet.argument<ScatteredOrder>().layout;
    packet.need(layout.bytes() == order.bytes, "its layout describes another number of bytes");
    first += static_cast<std::uint64_t>(layout.low());
    span = static_cast<std::uint64_t>(layout.high() - layout.low());
    address += static_cast<std::uint64_t>(layout.displacement);
    if (state.exposes(first, span)) side.type = type_of(layout, byte_);
  }
  need_exposed(packet, state, first, span);
  if (!state.exposes(first, span)) return {};
  side.buffer = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
  return side;
}

// The data follows as a message.
void LongTransfers::on_long_put(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(kScattered);
  const WindowState& state = one_sided_.window_of(packet);
  const Side side = side_of(state, packet);
  objects::Comm& comm = state.comm();
  arriving_.push_back({.origin = source,
                       .cookie = header.word[1],
                       .request = pt2pt_.start_receive({.buffer = side.buffer,
                                                        .capacity = side.bytes,
                                                        .source = header.source,
                                                        .tag = kPut,
                                                        .comm = comm,
                                                        .space = comm.user_space(),
                                                        .scattered = side.scattered()}),
                       .bytes = packet.beginning<Order>().bytes});
  has_begun();
}

// No thread of this process waits for this send.
void LongTransfers::on_long_get(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(kScattered);
  const WindowState& state = one_sided_.window_of(packet);
  const Side side = side_of(state, packet);
  objects::Comm& comm = state.comm();
  (void)pt2pt_.start_send({.buffer = side.buffer,
                           .bytes = side.bytes,
                           .destination = header.source,
                           .tag = kGot,
                           .comm = comm,
                           .space = comm.user_space(),
                           .scattered = side.scattered()});
}

// ---- both

// A message that is shorter than its order means that the target has refused.
bool LongTransfers::push() {
  const auto is_whole = [](const auto& each, const Ref<pt2pt::ReceiveRequest>& request) {
    return request->outcome.error == 0 && request->outcome.bytes == static_cast<std::int64_t>(each.bytes);
  };
  const std::size_t arrived = std::erase_if(arriving_, [&](const Arriving& put) {
    if (!put.request->done()) return false;
    links_.send_control(links_.to(put.origin), {.handler = packets::kLongPutDone,
                                                .flags = is_whole(put, put.request) ? std::uint8_t{0} : kRefused,
                                                .word = {put.cookie, 0}});
    return true;
  });
  const std::size_t got = std::erase_if(getting_, [&](Getting& get) {
    if (!get.arriving->done()) return false;
    if (!is_whole(get, get.arriving)) get.operation.refused();
    get.operation.over();
    return true;
  });
  return arrived + got != 0;
}

}  // namespace antiphon::rma
