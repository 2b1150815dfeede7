// Synchronization in which the target takes no part: MPI 5.0, 12.5.3 and 12.5.4. A target's lock is a word of its
// Control (window_lock.hpp). A process that has mapped that word takes the lock there, without a message, whatever
// the target does. All others send packets, and the target acts for them, in the order in which they asked, when
// it polls. An origin knows that all its operations are complete at the target before it releases the lock.
#pragma once

#include <list>

#include "engine/rma/one_sided.hpp"
#include "engine/rma/window_lock.hpp"

namespace antiphon::rma {

class PassiveTarget final : public progress::Pusher {
 public:
  using Mode = WindowLock::Mode;
  enum class Check : std::uint8_t { yes, no };  // no: the user knows that the lock is free (MPI_MODE_NOCHECK)

  PassiveTarget(OneSided& one_sided, links::Links& links, transport::Dispatcher& dispatcher,
                progress::Progress& progress, OneSided::MemoryOf memory_of);

  // These fail with ERR_RMA_SYNC if the state of the window does not allow them. Those that end an epoch, or wait for
  // operations at the targets, fail with ERR_RMA_RANGE if an operation touched memory that is not attached.
  void lock(WindowState& state, int target, Mode mode, Check check);
  void unlock(WindowState& state, int target);
  void lock_all(WindowState& state, Check check);
  void unlock_all(WindowState& state);
  void flush(WindowState& state, int target);
  void flush_all(WindowState& state);
  void flush_local(WindowState& state, int target);
  void flush_local_all(WindowState& state);
  void sync();

  // The short ways of these procedures, if nothing has to be waited for and no poll is due. If they return false,
  // nothing has happened.
  [[nodiscard]] bool try_lock(WindowState& state, int target, Mode mode) noexcept {
    const Control& control = state.of(target).control;
    if (!control || !state.may_lock_now(target)) return false;
    if (!WindowLock(control).try_enter(claim(mode), state.rank())) return false;
    ++held_;
    state.locked(target, locked_as(mode));
    return true;
  }
  [[nodiscard]] bool try_unlock(WindowState& state, int target) {
    const WindowState::Target& at = state.of(target);
    if (!at.control || at.locked == WindowState::Locked::unchecked || !state.may_unlock_now(target)) return false;
    if (!may_pass()) return false;
    WindowLock(at.control).leave(mode_of(at.locked));
    --held_;
    wake(state, target);
    state.unlocked(target);
    return true;
  }
  [[nodiscard]] bool try_flush(const WindowState& state, int target) noexcept {
    return state.is_settled(target) && may_pass();
  }
  [[nodiscard]] bool try_flush_all(const WindowState& state) noexcept { return state.all_settled() && may_pass(); }

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !waiting_.empty(); }

 private:
  static WindowState::Locked locked_as(Mode mode) {
    return mode == Mode::shared ? WindowState::Locked::shared : WindowState::Locked::exclusive;
  }
  static Mode mode_of(WindowState::Locked locked) {
    return locked == WindowState::Locked::shared ? Mode::shared : Mode::exclusive;
  }

  // An origin that this process acts for.
  struct Waiting {
    WindowState* state;  // dangles if the window with this context has ended
    std::uint32_t context;
    int process;
    int rank;
    WindowLock::Claim claim;
  };

  [[nodiscard]] WindowLock::Claim claim(Mode mode) const noexcept {
    return {.mode = mode, .holds_others = held_ != 0};
  }

  void on_lock(int source, const transport::PacketHeader&, transport::Payload);
  void on_locked(int source, const transport::PacketHeader&, transport::Payload);
  void on_unlock(int source, const transport::PacketHeader&, transport::Payload);

  // enter() takes the lock of a target whose words this process has mapped; ask() and await_grant() take another's.
  void enter(WindowState& state, int target, Mode mode);
  void ask(WindowState& state, int target, Mode mode);
  void await_grant(WindowState& state, int target);
  void leave(WindowState& state, int target);
  void wait_at_gates(WindowState& state);
  [[gnu::cold]] void wait_to_enter(WindowState& state, int target, WindowLock::Claim claim);
  void take_seats();
  void grant(const Waiting& granted);
  // Wakes ranks that sleep for the lock of `owner`.
  void wake(const WindowState& state, int owner) {
    if (WindowLock(state.of(owner).control).has_sleepers()) [[unlikely]]
      wake_sleepers(state, owner);
  }
  [[gnu::cold]] void wake_sleepers(const WindowState& state, int owner);
  [[gnu::cold]] void ring(const WindowState& state, int owner, int seat);
  void look_now_and_then();
  // False if this call must poll.
  [[nodiscard]] bool may_pass() noexcept {
    if (!progress_.may_skip_look()) return false;
    std::atomic_thread_fence(std::memory_order_release);
    return true;
  }

  OneSided& one_sided_;
  links::Links& links_;
  progress::Progress& progress_;
  OneSided::MemoryOf memory_of_;
  std::list<Waiting> waiting_;  // in the order in which they came
  int held_ = 0;                // locks of all windows; MPI_Win_lock_all counts as one
};

}  // namespace antiphon::rma
