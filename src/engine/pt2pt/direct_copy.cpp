#include "engine/pt2pt/direct_copy.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace antiphon::pt2pt {

using base::LaneHeld;
using transport::PacketHeader;
using transport::Payload;

namespace {

// In bytes. Scattered data in shorter blocks is moved faster if the sender packs it and the receiver unpacks it than
// if the receiver copies alone.
constexpr std::int64_t kLeastDirectBlock = 64;

// If a message has two parts, the receiver's is longer, because the receiver begins before the sender knows of the
// work. In sixteenths of the message.
constexpr std::size_t kFirstOfTwo = 9;

// The longest scattered message, in bytes, that the receiver copies from mapped memory without the sender's help. At
// 64 KiB that is up to a tenth faster than packets, which both sides work on; at 2 MiB it is slower.
constexpr std::size_t kMostAlone = std::size_t{256} << 10;

// Scattered data is copied by system calls only if the message has at least this many times the shortest part: the
// kernel looks up the pages of each run, which takes long.
constexpr std::size_t kLeastScatteredParts = 16;

std::byte* at(std::uint64_t address) { return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address)); }

// The first byte of the message's memory, an address in the sender.
std::uint64_t first_byte(const Announced& message) {
  return message.address + (message.scattered ? static_cast<std::uint64_t>(message.scattered->low) : 0);
}

constexpr std::uint64_t kAllWorks = UINT64_MAX;
static_assert(transport::PeerMemory::kSharedWorks == 64);

// The system call failed although it works in general: part of the send buffer is not mapped, or the sender has
// ended.
void fail(ReceiveRequest& request, const Announced& message) {
  request.fail(abi::ERR_OTHER,
               fmt::format("the system could not copy the message from the memory of process {} of the job: "
                           "is all of its send buffer mapped?",
                           message.world_source));
}

}  // namespace

DirectCopies::DirectCopies(const Around& around, transport::Dispatcher& dispatcher, progress::Progress& progress,
                           const settings::Values& settings, counters::Counters& counters)
    : Way(around), settings_(settings), counters_(counters) {
  dispatcher.on<&DirectCopies::on_offer_work>(packets::kOfferWork, *this);
  dispatcher.on<&DirectCopies::on_copied>(packets::kCopied, *this);
  dispatcher.on<&DirectCopies::on_part_left>(packets::kPartLeft, *this);
  progress.add(*this);
}

DirectCopies::Partner& DirectCopies::peer(int process) {
  const auto index = static_cast<std::size_t>(process);
  if (peers_.size() <= index) peers_.resize(index + 1);
  if (peers_[index]) return *peers_[index];
  const links::Link& link = links_.to(process);
  const transport::Capabilities& capabilities = link.channel().capabilities();
  peers_[index] = std::make_unique<Partner>(Partner{.memory = link.channel().peer_memory(),
                                                    .least_part = capabilities.least_part,
                                                    .least_run = capabilities.least_run,
                                                    .tells_layouts = link.max_payload() >= sizeof(ScatteredOffer)});
  return *peers_[index];
}

// A layout is of use to the receiver if the runs are long enough for system calls, or if they are not very short and
// the receiver has mapped the memory.
std::optional<layout::Regular> DirectCopies::layout_for_receiver(const SendRequest& message) {
  const Partner& receiver = peer(message.world_receiver);
  if (!receiver.memory || !receiver.tells_layouts) return {};
  const std::optional<layout::Regular> layout = data::in_few_words(message.scattered());
  if (!layout) return {};
  if (static_cast<std::size_t>(layout->block) >= receiver.least_run) return layout;
  if (layout->block < kLeastDirectBlock) return {};
  const auto span = static_cast<std::size_t>(layout->high() - layout->low());
  return receiver.memory->is_mapped_by_peer(message.data + layout->low(), span) ? layout : std::nullopt;
}

// ---- the receiver's side

bool DirectCopies::finds_mapped(const Announced& message, std::size_t bytes) {
  Partner& peer = this->peer(message.world_source);
  return peer.memory && message.address != 0 &&
         mapped_at(*peer.memory, message.address, message.scattered.get(), bytes) != nullptr;
}

bool DirectCopies::begin(ReceiveRequest& request, const Announced& message) {
  Partner& peer = this->peer(message.world_source);
  if (!peer.memory || message.address == 0) return false;
  std::optional<layout::Regular> layout;
  if (request.scattered() && peer.tells_layouts) layout = data::in_few_words(request.scattered());
  const bool scattered = request.scattered() || message.scattered;
  const bool may_share = (!request.scattered() || layout) && in_long_runs(peer, message, layout);
  const bool long_enough = !scattered || request.expected >= kLeastScatteredParts * peer.least_part;
  const bool by_system = may_share && long_enough && system_copies_from(peer, message);
  Receiving receiving{{*peer.memory, request.buffer, request.scattered(), message.address, message.scattered,
                       cut(request.expected, peer)},
                      &request,
                      message,
                      &peer,
                      {}};
  if (!by_system && !receiving.mapped) return false;
  receiving.help.wanted = may_share && (by_system || is_mapped_by_peer(peer, request, layout));
  if (scattered && !receiving.help.wanted && request.expected > kMostAlone) return false;
  receiving.help.layout = layout;

  if (receiving.parts.count() == 1) {
    copy_at_once(receiving);
  } else {
    const auto added = backlog_.insert(backlog_.end(), std::move(receiving));
    if (works_in_use_ != kAllWorks) share(added);
  }
  return true;
}

bool DirectCopies::in_long_runs(const Partner& peer, const Announced& message,
                                const std::optional<layout::Regular>& receiver) {
  return (!message.scattered || message.scattered->block >= peer.least_run) &&
         (!receiver || static_cast<std::size_t>(receiver->block) >= peer.least_run);
}

bool DirectCopies::is_mapped_by_peer(Partner& peer, const ReceiveRequest& request,
                                     const std::optional<layout::Regular>& layout) {
  if (!layout) return peer.memory->is_mapped_by_peer(request.buffer, request.expected);
  const std::int64_t low = layout->low();
  return peer.memory->is_mapped_by_peer(request.buffer + low, static_cast<std::size_t>(layout->high() - low));
}

bool DirectCopies::system_copies_from(Partner& peer, const Announced& message) {
  using System = Partner::System;
  if (peer.system == System::unknown) {
    std::byte first;
    const base::Piece here{&first, 1}, there{at(first_byte(message)), 1};
    peer.system = peer.memory->read({&here, 1}, {&there, 1}, 1) ? System::copies : System::refuses;
  }
  return peer.system == System::copies;
}

// By default a message has as many parts as divide the work well between two processes. Parts have a greatest length,
// so very long messages have more: other messages wait while a part is copied.
Parts DirectCopies::cut(std::size_t bytes, const Partner& peer) const {
  const std::size_t wanted =
      std::clamp(bytes / static_cast<std::size_t>(settings_.direct_copy_parts), peer.least_part, longest_part(peer));
  if (bytes > wanted && bytes <= 2 * wanted) return {bytes, bytes * kFirstOfTwo / 16};
  return {bytes, std::max(wanted, bytes / (transport::SharedWork::kMostParts - 1))};
}

void DirectCopies::share(ReceivingList::iterator in_backlog) {
  receiving_.splice(receiving_.end(), backlog_, in_backlog);
  Receiving& receiving = *in_backlog;
  receiving.work = static_cast<std::uint32_t>(std::countr_one(works_in_use_));
  receiving.generation = ++generation_;
  works_in_use_ |= std::uint64_t{1} << receiving.work;
  receiving.memory->mine(receiving.work).begin(receiving.generation);
  has_begun();
  if (receiving.help.wanted) offer_work(in_backlog);
}

void DirectCopies::offer_work(ReceivingList::iterator shared) {
  Receiving& receiving = *shared;
  receiving.cookie = shared_.add(receiving.message.world_source, shared);
  PacketHeader header{
      .handler = packets::kOfferWork,
      .word = {receiving.message.sender, reinterpret_cast<std::uintptr_t>(receiving.request->buffer)}};
  const Offer offer{receiving.cookie, receiving.parts.bytes, receiving.parts.part_bytes, receiving.work,
                    receiving.generation};
  if (!receiving.help.layout) return tell(receiving.message.world_source, header, offer);
  header.flags = kTellsLayout;
  tell(receiving.message.world_source, header, ScatteredOffer{offer, *receiving.help.layout});
}

void DirectCopies::copy_at_once(const Receiving& receiving) {
  counters_.parts_copied.add();
  if (!receiving.move(Direction::read, 0)) fail(*receiving.request, receiving.message);
  end(*receiving.request, receiving.message);
}

void DirectCopies::receive_some() {
  Batch<Receiving> batch(longest_part(*receiving_.front().peer));
  for (auto next = receiving_.begin(); next != receiving_.end() && batch.has_room_for(*next);) {
    const auto message = next++;
    std::uint32_t part = 0;
    if (message->counter().take_first(message->generation, message->parts.count(), &part)) {
      batch.add(message, part);
    } else {
      message->is_all_taken = true;
      waiting_.splice(waiting_.end(), receiving_, message);
    }
  }
  batch.move(Direction::read);
  for (const auto& [message, part, moved] : batch) {
    counters_.parts_copied.add();
    if (!moved) fail(*message->request, message->message);
    if (message->counter().finish(message->parts.count())) end_here(message);
  }
}

// This side has copied the last part.
void DirectCopies::end_here(ReceivingList::iterator receiving) {
  done(*receiving);
  end(*receiving->request, receiving->message);
  receiving_.erase(receiving);
}

void DirectCopies::done(const Receiving& receiving) {
  if (receiving.cookie != 0) shared_.end(receiving.cookie);
  works_in_use_ &= ~(std::uint64_t{1} << receiving.work);
  if (!backlog_.empty()) share(backlog_.begin());
}

void DirectCopies::bring_to_front(ReceivingList::iterator receiving) {
  receiving_.splice(receiving_.begin(), receiving->is_all_taken ? waiting_ : receiving_, receiving);
  receiving->is_all_taken = false;
}

// The sender has copied the last part.
void DirectCopies::on_copied(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  packet.need_no_payload();
  const ReceivingList::iterator receiving = packet.named(shared_, header.word[0]);
  packet.need(receiving->counter().is_finished(receiving->parts.count()), "parts have not been copied");
  ReceiveRequest& request = *receiving->request;
  bring_to_front(receiving);
  done(*receiving);
  receiving_.erase(receiving);
  end(request);
}

// The sender could not write a part, so this side reads it.
void DirectCopies::on_part_left(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  packet.need_no_payload();
  const ReceivingList::iterator receiving = packet.named(shared_, header.word[0]);
  packet.need(
      header.word[1] < receiving->parts.count() && !receiving->counter().is_finished(receiving->parts.count()),
      "there is no such part");
  const auto part = static_cast<std::uint32_t>(header.word[1]);
  bring_to_front(receiving);
  if (!receiving->move(Direction::read, part)) fail(*receiving->request, receiving->message);
  if (receiving->counter().finish(receiving->parts.count()))
    end_here(receiving);
  else
    has_begun();  // push() finds out whether parts are left
}

// ---- the sender's side

void DirectCopies::on_offer_work(int source, const PacketHeader& header, Payload payload, const LaneHeld&) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(kTellsLayout);
  const bool tells_layout = (header.flags & kTellsLayout) != 0;
  const auto offer = tells_layout ? packet.argument<ScatteredOffer>().offer : packet.argument<Offer>();
  Partner& receiver = peer(source);
  packet.need(receiver.memory, "that process's memory cannot be accessed");
  SendRequest& request = announced(packet);
  packet.need(offer.bytes != 0 && offer.bytes <= request.bytes, "it offers no bytes, or more than the message has");
  packet.need(offer.part_bytes != 0 && (offer.bytes - 1) / offer.part_bytes < transport::SharedWork::kMostParts &&
                  offer.work < transport::PeerMemory::kSharedWorks,
              "work cannot be divided like that");
  std::shared_ptr<const data::Elsewhere> layout;
  if (tells_layout) {
    const layout::Regular regular = packet.argument<ScatteredOffer>().layout;
    packet.need(regular.bytes().value_or(0) >= offer.bytes,
                "its layout does not describe as many bytes as it offers");
    layout = std::make_shared<const data::Elsewhere>(regular);
  }
  helping_.push_back({{*receiver.memory,
                       const_cast<std::byte*>(request.data),
                       request.scattered(),
                       header.word[1],
                       std::move(layout),
                       {offer.bytes, offer.part_bytes}},
                      &request,
                      request.cookie,
                      source,
                      offer.receiver_cookie,
                      &receiver,
                      offer.work,
                      offer.generation});
  request.awaits = SendRequest::Awaits::last_part;
  has_begun();
}

void DirectCopies::help_some() {
  Batch<Helping> batch(longest_part(*helping_.front().peer));
  for (auto next = helping_.begin(); next != helping_.end() && batch.has_room_for(*next);) {
    const auto message = next++;
    std::uint32_t part = 0;
    const bool is_over = message->request->cookie != message->cookie;  // the receiver has said so
    if (!is_over && message->counter().take_last(message->generation, message->parts.count(), &part))
      batch.add(message, part);
    else
      helping_.erase(message);
  }
  batch.move(Direction::write);
  for (const auto& [message, part, moved] : batch) {
    counters_.parts_copied.add();
    const bool was_last = moved && message->counter().finish(message->parts.count());
    if (moved && !was_last) continue;
    const std::uint8_t told = moved ? packets::kCopied : packets::kPartLeft;
    tell(message->world_receiver, {.handler = told, .word = {message->receiver, moved ? 0 : part}});
    if (moved) {
      sends_.answered_last(*message->request);
      message->request->part_done();
    }
    helping_.erase(message);
  }
}

bool DirectCopies::push() {
  const bool any = has_work();
  if (!receiving_.empty()) receive_some();
  if (!helping_.empty()) help_some();
  return any;
}

}  // namespace antiphon::pt2pt
