#include "engine/pt2pt/direct_copy.hpp"

#include <fmt/format.h>

#include <bit>

namespace antiphon::pt2pt {

namespace {

// So many parts divide the work well between two. Very long messages have more: others wait for their turn while a
// part is copied.
constexpr std::size_t kGoodParts = 8;
constexpr std::size_t kMostLeastParts = 8;  // least parts in the longest part

constexpr std::uint32_t kAllWorks = (1u << transport::PeerMemory::kSharedWorks) - 1;

// An address that the sender may not read either, or its process is gone.
void fail(ReceiveRequest& request, const DirectCopies::Announced& message) {
  request.fail(abi::ERR_OTHER,
               fmt::format("the message could not be copied from the memory of process {} of the job: "
                           "is its whole send buffer mapped?",
                           message.world_source));
}

}  // namespace

DirectCopies::Parts::Parts(std::size_t all, std::size_t least_part)
    : bytes(all), part_bytes(std::clamp(all / kGoodParts, least_part, kMostLeastParts * least_part)) {}

// ---- the receiver's side
// -------------------------------------------------------------------------------------------

bool DirectCopies::begin(ReceiveRequest& request, const Announced& message, Peer& peer) {
  if (!peer.memory || message.address == 0) return false;
  if (!peer.proven) {
    std::byte first;
    peer.proven = peer.memory->read(&first, message.address, 1);
    if (!peer.proven) peer.memory = nullptr;
    if (!peer.proven) return false;
  }
  if (paths_.choose(request.expected) != Path::direct) return false;

  const Parts parts(request.expected, peer.least_part);
  const bool alone = parts.count() == 1 || peer.works_in_use == kAllWorks;
  if (alone) {
    copy_at_once(request, message, peer);
    return true;
  }
  const auto work = static_cast<std::uint32_t>(std::countr_one(peer.works_in_use));
  peer.works_in_use |= 1u << work;
  peer.memory->mine(work).begin(++peer.generation);
  receiving_.push_back({&request, message, &peer, parts, work, peer.generation, host_.now_ns()});
  host_.offer_work(message, reinterpret_cast<std::uintptr_t>(request.buffer),
                   {reinterpret_cast<std::uintptr_t>(&request), parts.bytes, work, peer.generation});
  return true;
}

void DirectCopies::copy_at_once(ReceiveRequest& request, const Announced& message, Peer& peer) {
  const std::uint64_t began = host_.now_ns();
  if (!peer.memory->read(request.buffer, message.address, request.expected)) fail(request, message);
  paths_.measured(Path::direct, request.expected, host_.now_ns() - began);
  host_.copied_here(request, message);
}

// True if that was the last.
bool DirectCopies::read_part(Receiving& receiving, std::uint32_t part) {
  const std::size_t offset = receiving.parts.offset(part);
  if (!receiving.peer->memory->read(receiving.request->buffer + offset, receiving.message.address + offset,
                                    receiving.parts.length(part)))
    fail(*receiving.request, receiving.message);
  return receiving.peer->memory->mine(receiving.work).finish(receiving.parts.count());
}

void DirectCopies::receive_next() {
  Receiving& first = receiving_.front();
  std::uint32_t part = 0;
  const std::uint32_t parts = first.parts.count();
  if (first.peer->memory->mine(first.work).take(first.generation, parts, &part)) {
    const bool last = read_part(first, part);
    if (!last && part + 1 < parts) return;
    const Receiving taken = first;
    receiving_.pop_front();
    if (!last) return waiting_.push_back(taken);
    done(taken);
    host_.copied_here(*taken.request, taken.message);
  } else {
    waiting_.push_back(first);
    receiving_.pop_front();
  }
}

void DirectCopies::done(const Receiving& receiving) {
  receiving.peer->works_in_use &= ~(1u << receiving.work);
  paths_.measured(Path::direct, receiving.parts.bytes, host_.now_ns() - receiving.began_ns);
}

DirectCopies::Receiving DirectCopies::take_waiting(const ReceiveRequest& request) {
  const auto is_it = [&](const Receiving& receiving) { return receiving.request == &request; };
  if (const auto found = std::find_if(waiting_.begin(), waiting_.end(), is_it); found != waiting_.end()) {
    const Receiving taken = *found;
    waiting_.erase(found);
    return taken;
  }
  const auto found = std::find_if(receiving_.begin(), receiving_.end(), is_it);
  const Receiving taken = *found;
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
  }
}

// ---- the sender's side
// ---------------------------------------------------------------------------------------------

void DirectCopies::help(SendRequest& request, int world_receiver, std::uint64_t address, const Offer& offer,
                        Peer& peer) {
  if (!peer.memory) return;
  helping_.push_back({&request, request.data, world_receiver, address, offer.receiver_cookie, &peer,
                      Parts(offer.bytes, peer.least_part), offer.work, offer.generation});
}

void DirectCopies::help_next() {
  const Helping first = helping_.front();
  transport::SharedWork& work = first.peer->memory->theirs(first.work);
  std::uint32_t part = 0;
  if (!work.take(first.generation, first.parts.count(), &part)) return helping_.pop_front();
  const std::size_t offset = first.parts.offset(part);
  if (!first.peer->memory->write(first.address + offset, first.data + offset, first.parts.length(part))) {
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
