#include "engine/rma/active_target.hpp"

#include <fmt/format.h>

#include <string>

#include "engine/packets.hpp"

namespace antiphon::rma {

using transport::PacketHeader;
using transport::Payload;

ActiveTarget::ActiveTarget(OneSided& one_sided, links::Links& links, transport::Dispatcher& dispatcher,
                           coll::Collectives& coll, progress::Progress& progress)
    : one_sided_(one_sided), links_(links), coll_(coll), progress_(progress) {
  dispatcher.on<&ActiveTarget::on_posted>(packets::kPosted, *this);
  dispatcher.on<&ActiveTarget::on_completed>(packets::kCompleted, *this);
}

// All ranks complete their operations before they enter the barrier, so whoever leaves it knows that the epoch is
// over on all ranks.
void ActiveTarget::fence(WindowState& state, int assertion) {
  state.may_fence();
  const bool all_done = one_sided_.finish_there(state);
  coll_.barrier(state.comm());
  state.fenced((assertion & abi::MODE_NOSUCCEED) == 0);
  if (!all_done) state.not_attached();
}

void ActiveTarget::post(WindowState& state, objects::Group& group, int assertion) {
  (void)one_sided_.find(state, state.rank());
  state.post(group);
  if ((assertion & abi::MODE_NOCHECK) != 0) return;
  for (const int origin : state.origins()) tell_posted(state, origin);
}

void ActiveTarget::start(WindowState& state, objects::Group& group, int assertion) {
  state.start(group);
  for (const int target : state.targets()) {
    (void)one_sided_.find(state, target);
    if ((assertion & abi::MODE_NOCHECK) != 0) state.open(target);
  }
}

void ActiveTarget::complete(WindowState& state) {
  state.may_complete();
  bool all_done = true;
  if (state.is_dynamic())
    all_done = one_sided_.finish_there(state);
  else
    one_sided_.finish_here(state);
  for (const int target : state.targets())
    one_sided_.await_post(state, target, [&] { return CarriedPut(state, target).may_be_said(); });
  for (const int target : state.targets()) tell_completed(state, target);
  state.forget_unconfirmed();  // the packet says it
  state.forget_applied();
  state.completed();
  if (!all_done) state.not_attached();
}

void ActiveTarget::wait(WindowState& state) {
  state.may_wait();
  for (const int origin : state.origins()) await_completed(state, origin);
  end_exposure(state);
  progress_.look_now_and_then();
}

bool ActiveTarget::test(WindowState& state) {
  state.may_wait();
  const bool over = progress_.look([&] { return all_have_completed(state); });
  if (over) end_exposure(state);
  return over;
}

void ActiveTarget::await_completed(const WindowState& state, int origin) {
  std::string name;
  progress_.wait([&] { return state.has_completed(origin); },
                 [&] {
                   name = fmt::format("complete of rank {} in {}", origin, state.window().title());
                   return progress::WaitReason{.communicator = name.c_str(), .peer = state.comm().world_rank(origin)};
                 });
}

// ---- A synchronization is told by a store into the other process's words, or by a packet

void ActiveTarget::tell_posted(WindowState& state, int origin) {
  const WindowState::Target& at = one_sided_.find(state, origin);
  if (at.memory) return say_posted(state, at);
  tell_by_packet(state, origin, packets::kPosted, at.exposures);
}

// Puts by packets may still be on their way, and a store into the target's memory would overtake them.
void ActiveTarget::tell_completed(WindowState& state, int target) {
  const WindowState::Target& at = one_sided_.find(state, target);
  if (at.memory && !at.unconfirmed) return say_completed(state, target);
  tell_by_packet(state, target, packets::kCompleted, at.accesses);
}

void ActiveTarget::tell_by_packet(const WindowState& state, int rank, std::uint8_t handler, std::uint32_t epoch) {
  links_.send_control(links_.to(state.comm().world_rank(rank)),
                      {.handler = handler, .context = state.comm().context(), .source = state.rank()}, epoch);
}

void ActiveTarget::on_posted(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  const auto epoch = packet.argument<std::uint32_t>();
  const WindowState* const state = one_sided_.find_window_of(packet);
  if (!state) return;
  state->control().posted(header.source).store(epoch, std::memory_order_release);
}

// An origin that completes by packets has not mapped the target's memory, so it has no put carried.
void ActiveTarget::on_completed(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  const auto epoch = packet.argument<std::uint32_t>();
  const WindowState* const state = one_sided_.find_window_of(packet);
  if (!state) return;
  state->control().completed(header.source, epoch).store(epoch, std::memory_order_release);
}

}  // namespace antiphon::rma
