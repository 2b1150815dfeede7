#include "engine/pt2pt/direct_copy.hpp"

#include <fmt/format.h>

#include <array>
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

// What is scattered the receiver copies alone. At 64 KiB that is up to a tenth faster than packets, which both sides
// work on; at 2 MiB it is slower.
constexpr std::size_t kMostScattered = std::size_t{256} << 10;

// From one layout to another, through a window that stays in the nearest cache.
void rearrange(const ReceiveRequest& request, const layout::Layout& layout, const std::byte* from, std::size_t offset,
               std::size_t bytes) {
  std::array<std::byte, std::size_t{8} << 10> window;
  while (bytes != 0) {
    const std::size_t here = std::min(bytes, window.size());
    layout.pack(from, 1, Scattered::slice(offset, here), window.data());
    receive_part(request.buffer, request.scattered(), offset, window.data(), here);
    offset += here;
    bytes -= here;
  }
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
  // Only this side knows where the bytes of a scattered receive go.
  const bool scattered = request.scattered() || message.scattered;
  if (scattered && request.expected > kMostScattered) return false;
  const bool fast = !scattered && is_fast(request, message, peer);
  if (!fast && !mapped(peer, message, request.expected)) return false;
  const bool helped = !scattered && (fast || peer.memory->is_mapped_by_peer(request.buffer, request.expected));

  const Parts parts = cut(request.expected, peer);
  if (parts.count() == 1)
    copy_at_once(request, message, peer);
  else if (peer.works_in_use == kAllWorks)
    backlog_.push_back({&request, message, &peer, helped});
  else
    share({&request, message, &peer, parts, 0, 0, helped});
  return true;
}

// Whether the system copies from that process at all, and fast enough.
bool DirectCopies::is_fast(const ReceiveRequest& request, const Announced& message, Peer& peer) {
  using System = Peer::System;
  if (peer.system == System::unknown) {
    std::byte first;
    peer.system = peer.memory->read(&first, message.address, 1) ? System::copies : System::refuses;
  }
  if (peer.system == System::refuses) return false;
  if (speed_ == Speed::unknown) speed_ = measure(request, message, peer);
  return speed_ == Speed::fast;
}

// Where the first `bytes` bytes of a message, or, if it is scattered, its buffer, are in this process's memory.
const std::byte* DirectCopies::mapped(Peer& peer, const Announced& message, std::size_t bytes) {
  if (!message.scattered) return peer.memory->mapped(message.address, bytes);
  const std::int64_t low = message.scattered->low;
  const std::byte* first =
      peer.memory->mapped(message.address + static_cast<std::uint64_t>(low), message.scattered->span);
  return first ? first - low : nullptr;
}

// Bytes of a message, from `offset` on, to where they belong.
bool DirectCopies::read(Peer& peer, const ReceiveRequest& request, const Announced& message, std::size_t offset,
                        std::size_t bytes) {
  const std::byte* from = mapped(peer, message, offset + bytes);
  if (!from)
    return !request.scattered() && peer.memory->read(request.buffer + offset, message.address + offset, bytes);
  if (!message.scattered)
    receive_part(request.buffer, request.scattered(), offset, from + offset, bytes);
  else if (!request.scattered())
    message.scattered->layout.pack(from, 1, Scattered::slice(offset, bytes), request.buffer + offset);
  else
    rearrange(request, message.scattered->layout, from, offset, bytes);
  return true;
}

bool DirectCopies::write(Peer& peer, std::uint64_t address, const std::byte* from, std::size_t bytes) {
  std::byte* to = peer.memory->mapped(address, bytes);
  if (!to) return peer.memory->write(address, from, bytes);
  std::memcpy(to, from, bytes);
  return true;
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
  if (!receiving.helped) return;
  ReceiveRequest& request = *receiving.request;
  host_.offer_work(receiving.message, reinterpret_cast<std::uintptr_t>(request.buffer),
                   {reinterpret_cast<std::uintptr_t>(&request), receiving.parts.bytes, receiving.parts.part_bytes,
                    receiving.work, receiving.generation});
}

// Whether two that copy directly are faster than two of which one copies in and the other out. Both ends of the
// latter copy at the speed of memcpy, less what it costs to take lines from another core; half of it is a cautious
// guess. A machine that makes cross-memory copies costly, as some virtual ones do, stays far below.
DirectCopies::Speed DirectCopies::measure(const ReceiveRequest& request, const Announced& message, Peer& peer) {
  constexpr std::size_t kMost = std::size_t{64} << 10;
  constexpr int kRounds = 5;
  const std::size_t bytes = std::min(request.expected, kMost);
  const auto scratch = std::make_unique<std::byte[]>(bytes);
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
  const std::uint64_t direct = best_of([&] { worked &= peer.memory->read(request.buffer, message.address, bytes); });
  const std::uint64_t plain = best_of([&] { std::memcpy(scratch.get(), request.buffer, bytes); });
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
  const auto waits = [&](const Backlog& message) { return message.peer == receiving.peer; };
  if (backlog_.empty()) return;
  const auto next = std::find_if(backlog_.begin(), backlog_.end(), waits);
  if (next == backlog_.end()) return;
  const Backlog message = *next;
  backlog_.erase(next);
  share({message.request, message.message, message.peer, cut(message.request->expected, *message.peer), 0, 0,
         message.helped});
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

void DirectCopies::help(SendRequest& request, int world_receiver, std::uint64_t address, const Offer& offer,
                        Peer& peer) {
  if (!peer.memory) return;
  helping_.push_back({&request,
                      request.data,
                      world_receiver,
                      address,
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
  const std::size_t offset = first.parts.offset(part);
  if (!write(*first.peer, first.address + offset, first.data + offset, first.parts.length(part))) {
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
