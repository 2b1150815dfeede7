#include "engine/rma/passive_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "engine/packets.hpp"

namespace antiphon::rma {

using transport::PacketHeader;
using transport::Payload;
using Claim = WindowLock::Claim;
using Locked = WindowState::Locked;

namespace {

using Kept = WindowState::Target::Kept;
Kept kept_as(WindowLock::Mode mode) { return mode == WindowLock::Mode::shared ? Kept::shared : Kept::exclusive; }

// How a packet encodes what an origin asks for.
std::uint64_t packed(const Claim& claim) {
  return static_cast<std::uint64_t>(claim.mode) | (claim.holds_others ? 2u : 0u);
}
Claim unpacked(std::uint64_t word) {
  return {.mode = static_cast<WindowLock::Mode>(word & 1), .holds_others = (word & 2) != 0};
}

// For hang reports.
std::string lock_name(const WindowState& state, int target) {
  return fmt::format("lock of rank {} in {}", target, state.window().title());
}

}  // namespace

PassiveTarget::PassiveTarget(OneSided& one_sided, links::Links& links, transport::Dispatcher& dispatcher,
                             progress::Progress& progress, OneSided::MemoryOf memory_of)
    : one_sided_(one_sided), links_(links), progress_(progress), memory_of_(std::move(memory_of)) {
  progress.add(*this);
  dispatcher.on<&PassiveTarget::on_lock>(packets::kLock, *this);
  dispatcher.on<&PassiveTarget::on_locked>(packets::kLocked, *this);
  dispatcher.on<&PassiveTarget::on_unlock>(packets::kUnlock, *this);
}

// ---- the origin's side

void PassiveTarget::lock(WindowState& state, int target, Mode mode, Check check) {
  state.may_lock(target);
  if (check == Check::no) return state.locked(target, Locked::unchecked);
  if (one_sided_.find(state, target).control) {
    enter(state, target, mode);
  } else {
    ask(state, target, mode);
    await_grant(state, target);
  }
  ++held_;
  state.locked(target, locked_as(mode));
}

void PassiveTarget::unlock(WindowState& state, int target) {
  state.may_unlock(target);
  const bool all_done = one_sided_.finish_there(state, target);
  state.forget_applied_to(target);
  if (state.of(target).locked != Locked::unchecked) --held_;
  leave(state, target);
  state.unlocked(target);
  look_now_and_then();
  if (!all_done) state.not_attached();
}

// After its first lock, lock_all would pass every closed gate, and ranks that call it again and again would keep out
// those that want a lock exclusively. So it waits at all closed gates before it takes the first lock.
void PassiveTarget::wait_at_gates(WindowState& state) {
  for (int target = 0; target < state.size(); ++target) {
    const Control& control = one_sided_.find(state, target).control;
    if (!control || !WindowLock(control).is_closed()) continue;
    enter(state, target, Mode::shared);
    WindowLock(control).leave(Mode::shared);
    wake(state, target);
  }
}

// Targets that need a packet are asked first, so that they answer while this process takes the other locks.
void PassiveTarget::lock_all(WindowState& state, Check check) {
  state.may_lock_all();
  if (check == Check::no) return state.locked_all(Locked::unchecked);
  if (held_ == 0) wait_at_gates(state);
  ++held_;
  for (int target = 0; target < state.size(); ++target)
    if (!one_sided_.find(state, target).control) ask(state, target, Mode::shared);
  for (int target = 0; target < state.size(); ++target)
    if (state.of(target).control) enter(state, target, Mode::shared);
  for (int target = 0; target < state.size(); ++target)
    if (!state.of(target).control) await_grant(state, target);
  state.locked_all(Locked::shared);
}

void PassiveTarget::unlock_all(WindowState& state) {
  state.may_unlock_all();
  const bool all_done = one_sided_.finish_there(state);
  state.forget_applied();
  if (state.of(state.rank()).locked != Locked::unchecked) --held_;
  for (int target = 0; target < state.size(); ++target) leave(state, target);
  state.unlocked_all();
  look_now_and_then();
  if (!all_done) state.not_attached();
}

void PassiveTarget::flush(WindowState& state, int target) {
  state.may_flush(target);
  const bool all_done = one_sided_.finish_there(state, target);
  state.forget_applied_to(target);
  look_now_and_then();
  if (!all_done) state.not_attached();
}

void PassiveTarget::flush_all(WindowState& state) {
  state.may_flush_all();
  const bool all_done = one_sided_.finish_there(state);
  state.forget_applied();
  look_now_and_then();
  if (!all_done) state.not_attached();
}

void PassiveTarget::flush_local(WindowState& state, int target) {
  state.may_flush(target);
  one_sided_.finish_here(state, target);
  look_now_and_then();
}

void PassiveTarget::flush_local_all(WindowState& state) {
  state.may_flush_all();
  one_sided_.finish_here(state);
  look_now_and_then();
}

void PassiveTarget::sync() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  look_now_and_then();
}

// Programs call these in loops while they wait for others to change their memory. Others see what this process has
// copied before anything that it does next.
void PassiveTarget::look_now_and_then() {
  std::atomic_thread_fence(std::memory_order_release);
  progress_.look_now_and_then();
}

void PassiveTarget::enter(WindowState& state, int target, Mode mode) {
  const Claim claimed = claim(mode);
  if (!WindowLock(state.of(target).control).try_enter(claimed, state.rank())) [[unlikely]]
    wait_to_enter(state, target, claimed);
}

// A rank that has slept for the lock twice, and found it taken again, joins the line.
void PassiveTarget::wait_to_enter(WindowState& state, int target, Claim claim) {
  const WindowLock lock(state.of(target).control);
  const int me = state.rank();
  const std::string name = lock_name(state, target);
  int sleeps = 0;
  bool is_in = false;  // set when entered, because progress calls this once more
  const auto has_entered = [&] {
    const auto enters = [&] { return is_in = lock.try_enter(claim, me); };
    return is_in || enters() || (sleeps != 0 && lock.sit_down(me, claim) && enters());
  };
  const auto reason = [&] {
    if (++sleeps == 2) {
      lock.stand_up(me);
      lock.get_in_line(&claim);
    }
    const int holder = lock.holder();
    return progress::WaitReason{.communicator = name.c_str(),
                                .peer = state.comm().world_rank(holder < 0 ? target : holder)};
  };
  progress_.wait(has_entered, reason);
  lock.stand_up(me);
  if (claim.in_line) wake(state, target);
}

void PassiveTarget::ask(WindowState& state, int target, Mode mode) {
  state.of(target).awaits_grant = true;
  links_.send_control(links_.to(state.comm().world_rank(target)), {.handler = packets::kLock,
                                                                   .context = state.comm().context(),
                                                                   .source = state.rank(),
                                                                   .word = {packed(claim(mode)), 0}});
}

void PassiveTarget::await_grant(WindowState& state, int target) {
  if (!state.of(target).awaits_grant) return;
  const std::string name = lock_name(state, target);
  progress_.wait(
      [&] { return !state.of(target).awaits_grant; },
      [&] { return progress::WaitReason{.communicator = name.c_str(), .peer = state.comm().world_rank(target)}; });
}

void PassiveTarget::on_locked(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  packet.need_no_payload();
  bool& awaits_grant = one_sided_.window_of(packet).of(header.source).awaits_grant;
  packet.need(awaits_grant, "nobody has asked for it");
  awaits_grant = false;
}

void PassiveTarget::leave(WindowState& state, int target) {
  const Locked locked = state.of(target).locked;
  if (locked == Locked::unchecked) return;
  const Control& control = state.of(target).control;
  if (control) {
    WindowLock(control).leave(mode_of(locked));
    return wake(state, target);
  }
  links_.send_control(links_.to(state.comm().world_rank(target)),
                      {.handler = packets::kUnlock,
                       .context = state.comm().context(),
                       .source = state.rank(),
                       .word = {static_cast<std::uint64_t>(mode_of(locked)), 0}});
}

void PassiveTarget::wake_sleepers(const WindowState& state, int owner) {
  WindowLock(state.of(owner).control).wake([&](int seat) { ring(state, owner, seat); });
}

void PassiveTarget::ring(const WindowState& state, int owner, int seat) {
  transport::PeerMemory* const memory = memory_of_(state.comm().world_rank(seat == state.size() ? owner : seat));
  memory ? memory->wake() : progress_.wake_other_threads();
}

// ---- the target's side

// The target polls rarely, so an origin that does not get the lock at once joins the line at once.
void PassiveTarget::on_lock(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  packet.need_no_payload();
  WindowState& state = one_sided_.window_of(packet);
  packet.need(header.word[0] <= 3, "there is no such lock");
  packet.need(state.of(header.source).kept == Kept::none, "it has, or waits for, that lock already");
  state.of(header.source).kept = Kept::wanted;
  Waiting asked{&state, header.context, source, header.source, unpacked(header.word[0])};
  const WindowLock lock(state.control());
  if (lock.try_enter(asked.claim, asked.rank)) return grant(asked);
  lock.get_in_line(&asked.claim);
  waiting_.push_back(asked);
  lock.stand_up(state.size());  // the seat may have been taken for other origins; push() takes it again
  has_begun();
}

void PassiveTarget::grant(const Waiting& granted) {
  granted.state->of(granted.rank).kept = kept_as(granted.claim.mode);
  links_.send_control(links_.to(granted.process),
                      {.handler = packets::kLocked, .context = granted.context, .source = granted.state->rank()});
}

// The second seat of this process stands for all origins that it acts for. A rank that leaves the lock wakes it for
// an origin that wants to share the lock, if there is one, because that one may enter whenever another may.
void PassiveTarget::take_seats() {
  for (const Mode mode : {Mode::shared, Mode::exclusive})
    for (const Waiting& each : waiting_)
      if (each.claim.mode == mode) (void)WindowLock(each.state->control()).sit_down(each.state->size(), each.claim);
}

// An origin that still waits when the window ends has not taken part in its end as it should.
bool PassiveTarget::push() {
  bool moved = std::erase_if(waiting_, [this](const Waiting& each) {
                 return one_sided_.find_window(each.context) != each.state;
               }) != 0;
  for (bool entered = true; entered; moved |= entered) {
    take_seats();
    entered = std::erase_if(waiting_, [this](const Waiting& each) {
                const WindowLock lock(each.state->control());
                if (!lock.try_enter(each.claim, each.rank)) return false;
                lock.stand_up(each.state->size());
                wake(*each.state, each.state->rank());
                grant(each);
                return true;
              }) != 0;
  }
  return moved;
}

// The window may have ended here, as its end waits for everybody but not for this.
void PassiveTarget::on_unlock(int source, const PacketHeader& header, Payload payload) {
  const packets::Incoming packet{source, header, payload};
  packet.need_flags(0);
  packet.need_no_payload();
  WindowState* const state = one_sided_.find_window_of(packet);
  if (!state) return;
  packet.need(header.word[0] <= 1, "there is no such lock");
  const auto mode = static_cast<Mode>(header.word[0]);
  packet.need(state->of(header.source).kept == kept_as(mode), "it does not have that lock");
  state->of(header.source).kept = Kept::none;
  WindowLock(state->control()).leave(mode);
  wake(*state, state->rank());
}

}  // namespace antiphon::rma
