#include "engine/pt2pt/direct_copy.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace antiphon::pt2pt {

namespace {

// So many parts divide the work well between two. Very long messages have more: others wait for their turn while a
// part is copied.
constexpr std::size_t kGoodParts = 8;
constexpr std::size_t kMostLeastParts = 8;  // least parts in the longest part

// A direct copy may take so many times as long as memcpy and is still the better way.
constexpr std::uint64_t kSlowerThanMemcpy = 3;

// What the receiver copies alone from mapped memory, because of short runs. At 64 KiB that is up to a tenth faster
// than packets, which both sides work on; at 2 MiB it is slower.
constexpr std::size_t kMostAlone = std::size_t{256} << 10;

// What is scattered at an end is worth the system's way, which finds the pages of each run, from so many parts on.
constexpr std::size_t kLeastScatteredParts = 16;

std::byte* at(std::uint64_t address) { return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address)); }

// Where the memory of a message begins, in its sender's.
std::uint64_t first_byte(const DirectCopies::Announced& message) {
  return message.address + (message.scattered ? static_cast<std::uint64_t>(message.scattered->low) : 0);
}

constexpr std::uint32_t kAllWorks = (1u << transport::PeerMemory::kSharedWorks) - 1;

// An address that the sender may not read either, or its process is gone.
void fail(ReceiveRequest& request, const DirectCopies::Announced& message) {
  request.fail(abi::ERR_OTHER,
               fmt::format("the message could not be copied from the memory of process {} of the job: "
                           "is its whole send buffer mapped?",
                           message.world_source));
}

}  // namespace

// ---- the receiver's side
// -------------------------------------------------------------------------------------------

bool DirectCopies::begin(ReceiveRequest& request, const Announced& message, Peer& peer) {
  if (!peer.memory || message.address == 0) return false;
  Help help;
  if (request.scattered() && peer.tells_layouts) help.layout = in_few_words(request.scattered());
  const bool scattered = request.scattered() || message.scattered;
  const bool may_share = (!request.scattered() || help.layout) && in_long_runs(peer, message, help.layout);
  const bool long_enough = !scattered || request.expected >= kLeastScatteredParts * peer.least_part;
  const bool fast = may_share && long_enough && is_fast(request, message, peer);
  if (!fast && !mapped(peer, message.address, message.scattered.get(), request.expected)) return false;
  help.wanted = may_share && (fast || is_mapped_by_peer(peer, request, help));
  if (scattered && !help.wanted && request.expected > kMostAlone) return false;

  const Receiving receiving{&request, message, &peer, help, cut(request.expected, peer)};
  if (receiving.parts.count() == 1)
    copy_at_once(request, message, peer);
  else if (peer.works_in_use == kAllWorks)
    backlog_.push_back(receiving);
  else
    share(receiving);
  return true;
}

bool DirectCopies::in_long_runs(const Peer& peer, const Announced& message,
                                const std::optional<layout::Regular>& receiver) {
  return (!message.scattered || message.scattered->block >= peer.least_run) &&
         (!receiver || static_cast<std::size_t>(receiver->block) >= peer.least_run);
}

bool DirectCopies::is_mapped_by_peer(Peer& peer, const ReceiveRequest& request, const Help& help) {
  if (!help.layout) return peer.memory->is_mapped_by_peer(request.buffer, request.expected);
  const std::int64_t low = help.layout->low();
  return peer.memory->is_mapped_by_peer(request.buffer + low, static_cast<std::size_t>(help.layout->high() - low));
}

// Whether the system copies from that process at all, and fast enough.
bool DirectCopies::is_fast(const ReceiveRequest& request, const Announced& message, Peer& peer) {
  using System = Peer::System;
  if (peer.system == System::unknown) {
    std::byte first;
    const base::Piece here{&first, 1}, there{at(first_byte(message)), 1};
    peer.system = peer.memory->read({&here, 1}, {&there, 1}, 1) ? System::copies : System::refuses;
  }
  if (peer.system == System::refuses) return false;
  if (speed_ == Speed::unknown) speed_ = measure(request, message, peer);
  return speed_ == Speed::fast;
}

// Where the first `bytes` bytes of a message, or, if it is scattered, its buffer, are in this process's memory.
std::byte* DirectCopies::mapped(Peer& peer, std::uint64_t address, const Elsewhere* scattered, std::size_t bytes) {
  if (!scattered) return peer.memory->mapped(address, bytes);
  std::byte* first = peer.memory->mapped(address + static_cast<std::uint64_t>(scattered->low), scattered->span);
  return first ? first - scattered->low : nullptr;
}

// Bytes of a message, from `offset` on, to where they belong.
bool DirectCopies::read(Peer& peer, const ReceiveRequest& request, const Announced& message, std::size_t offset,
                        std::size_t bytes) {
  const Place here(request.buffer, request.scattered());
  if (std::byte* from = mapped(peer, message.address, message.scattered.get(), offset + bytes)) {
    copy(Place(from, message.scattered.get()), here, offset, bytes);
    return true;
  }
  return in_pieces(here, Place(at(message.address), message.scattered.get()), offset, bytes,
                   [&](auto mine, auto theirs, std::size_t n) { return peer.memory->read(mine, theirs, n); });
}

// The sender's counterpart.
bool DirectCopies::write(const Helping& helping, std::size_t offset, std::size_t bytes) {
  const Place here(const_cast<std::byte*>(helping.data), helping.request->scattered());
  const Elsewhere* scattered = helping.scattered.get();
  if (std::byte* to = mapped(*helping.peer, helping.address, scattered, offset + bytes)) {
    copy(here, Place(to, scattered), offset, bytes);
    return true;
  }
  return in_pieces(
      here, Place(at(helping.address), scattered), offset, bytes,
      [&](auto mine, auto theirs, std::size_t n) { return helping.peer->memory->write(mine, theirs, n); });
}

DirectCopies::Parts DirectCopies::cut(std::size_t bytes, const Peer& peer) {
  const std::size_t wanted = std::clamp(bytes / kGoodParts, peer.least_part, kMostLeastParts * peer.least_part);
  return {bytes, std::max(wanted, bytes / (transport::SharedWork::kMostParts - 1))};
}

void DirectCopies::share(Receiving receiving) {
  Peer& peer = *receiving.peer;
  receiving.work = static_cast<std::uint32_t>(std::countr_one(peer.works_in_use));
  receiving.generation = ++peer.generation;
  peer.works_in_use |= 1u << receiving.work;
  peer.memory->mine(receiving.work).begin(receiving.generation);
  receiving_.push_back(receiving);
  host_.copies_begun();
  if (!receiving.help.wanted) return;
  ReceiveRequest& request = *receiving.request;
  host_.offer_work(receiving.message, reinterpret_cast<std::uintptr_t>(request.buffer),
                   {reinterpret_cast<std::uintptr_t>(&request), receiving.parts.bytes, receiving.parts.part_bytes,
                    receiving.work, receiving.generation},
                   receiving.help.layout ? &*receiving.help.layout : nullptr);
}

// Whether two that copy directly are faster than two of which one copies in and the other out. Both ends of the
// latter copy at the speed of memcpy, less what it costs to take lines from another core; half of it is a cautious
// guess. A machine that makes cross-memory copies costly, as some virtual ones do, stays far below.
DirectCopies::Speed DirectCopies::measure(const ReceiveRequest& request, const Announced& message, Peer& peer) {
  constexpr std::size_t kMost = std::size_t{64} << 10;
  constexpr int kRounds = 5;
  const std::size_t bytes = std::min({request.expected, kMost, message.scattered ? message.scattered->span : kMost});
  const auto scratch = std::make_unique<std::byte[]>(2 * bytes);
  const base::Piece here{scratch.get(), bytes}, there{at(first_byte(message)), bytes};
  const auto best_of = [&](auto&& copy) {
    std::uint64_t best = UINT64_MAX;
    for (int round = 0; round < kRounds; ++round) {
      const std::uint64_t began = host_.now_ns();
      copy();
      best = std::min(best, host_.now_ns() - began);
    }
    return best;
  };
  bool worked = true;
  const std::uint64_t direct = best_of([&] { worked &= peer.memory->read({&here, 1}, {&there, 1}, bytes); });
  const std::uint64_t plain = best_of([&] { std::memcpy(scratch.get() + bytes, scratch.get(), bytes); });
  if (!worked && message.scattered) return Speed::unknown;  // what lies between its runs may not be there
  return worked && direct <= kSlowerThanMemcpy * plain ? Speed::fast : Speed::slow;
}

void DirectCopies::copy_at_once(ReceiveRequest& request, const Announced& message, Peer& peer) {
  if (!read(peer, request, message, 0, request.expected)) fail(request, message);
  host_.copied_here(request, message);
}

// True if that was the last.
bool DirectCopies::read_part(Receiving& receiving, std::uint32_t part) {
  if (!read(*receiving.peer, *receiving.request, receiving.message, receiving.parts.offset(part),
            receiving.parts.length(part)))
    fail(*receiving.request, receiving.message);
  return receiving.peer->memory->mine(receiving.work).finish(receiving.parts.count());
}

void DirectCopies::receive_next() {
  Receiving first = receiving_.front();
  transport::SharedWork& work = first.peer->memory->mine(first.work);
  const std::uint32_t parts = first.parts.count();
  std::uint32_t part = 0;
  const bool last = work.take_first(first.generation, parts, &part) && read_part(first, part);
  if (!last && !work.exhausted(parts)) return;
  receiving_.pop_front();
  if (!last) return waiting_.push_back(first);
  done(first);
  host_.copied_here(*first.request, first.message);
}

void DirectCopies::done(const Receiving& receiving) {
  receiving.peer->works_in_use &= ~(1u << receiving.work);
  const auto waits = [&](const Receiving& message) { return message.peer == receiving.peer; };
  if (backlog_.empty()) return;
  const auto next = std::find_if(backlog_.begin(), backlog_.end(), waits);
  if (next == backlog_.end()) return;
  const Receiving message = *next;
  backlog_.erase(next);
  share(message);
}

DirectCopies::Receiving DirectCopies::take_waiting(const ReceiveRequest& request) {
  const auto is_it = [&](const Receiving& receiving) { return receiving.request == &request; };
  if (const auto found = std::find_if(waiting_.begin(), waiting_.end(), is_it); found != waiting_.end()) {
    Receiving taken = *found;
    waiting_.erase(found);
    return taken;
  }
  const auto found = std::find_if(receiving_.begin(), receiving_.end(), is_it);
  Receiving taken = *found;
  receiving_.erase(found);
  return taken;
}

void DirectCopies::helper_did_the_last(ReceiveRequest& request) { done(take_waiting(request)); }

void DirectCopies::helper_left(ReceiveRequest& request, std::uint32_t part) {
  Receiving receiving = take_waiting(request);
  if (read_part(receiving, part)) {
    done(receiving);
    host_.copied_here(request, receiving.message);
  } else {
    receiving_.push_front(receiving);  // finds out by itself whether parts are left
    host_.copies_begun();
  }
}

// ---- the sender's side
// ---------------------------------------------------------------------------------------------

void DirectCopies::help(SendRequest& request, int world_receiver, std::uint64_t address,
                        std::shared_ptr<const Elsewhere> scattered, const Offer& offer, Peer& peer) {
  if (!peer.memory) return;
  helping_.push_back({&request,
                      request.data,
                      world_receiver,
                      address,
                      std::move(scattered),
                      offer.receiver_cookie,
                      &peer,
                      {offer.bytes, offer.part_bytes},
                      offer.work,
                      offer.generation});
  host_.copies_begun();
}

void DirectCopies::help_next() {
  const Helping first = helping_.front();
  transport::SharedWork& work = first.peer->memory->theirs(first.work);
  std::uint32_t part = 0;
  if (!work.take_last(first.generation, first.parts.count(), &part)) return helping_.pop_front();
  if (!write(first, first.parts.offset(part), first.parts.length(part))) {
    helping_.pop_front();
    return host_.part_left(first.world_receiver, first.receiver_cookie, part);
  }
  if (!work.finish(first.parts.count())) return;
  helping_.pop_front();
  host_.copied_there(*first.request, first.world_receiver, first.receiver_cookie);
}

bool DirectCopies::push() {
  const bool any = has_work();
  if (!receiving_.empty()) receive_next();
  if (!helping_.empty()) help_next();
  return any;
}

}  // namespace antiphon::pt2pt
