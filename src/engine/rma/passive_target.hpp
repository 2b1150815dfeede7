// Synchronization in which the target takes no part: MPI 5.0, 12.5.3 and 12.5.4. A target's lock is a word of its
// Control (window_lock.hpp). Whoever has that in its own memory takes the lock there, without a message and whatever
// the target does. All others ask by packets, and the target acts for them, in the order in which they asked, when it
// polls. What was done to the target is known to be done before the lock is left.
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

  // These fail with ERR_RMA_SYNC where the state of the window does not allow them, and what ends an epoch, or waits
  // within one for what was done at the targets, with ERR_RMA_RANGE if something was done to memory that is not
  // attached.
  void lock(WindowState& state, int target, Mode mode, Check check);
  void unlock(WindowState& state, int target);
  void lock_all(WindowState& state, Check check);
  void unlock_all(WindowState& state);
  void flush(WindowState& state, int target);
  void flush_all(WindowState& state);
  void flush_local(WindowState& state, int target);
  void flush_local_all(WindowState& state);
  void sync();

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !waiting_.empty(); }

 private:
  // Another process that this one acts for.
  struct Waiting {
    WindowState* state;
    int process;
    int rank;
    std::uint64_t cookie;
    WindowLock::Claim claim;
  };

  void on_lock(int source, const transport::PacketHeader&, transport::Payload);
  void on_locked(int source, const transport::PacketHeader&, transport::Payload);
  void on_unlock(int source, const transport::PacketHeader&, transport::Payload);

  // Either the first or the second: for a target whose words this process has, or for another.
  void enter(WindowState& state, int target, Mode mode);
  void ask(WindowState& state, int target, Mode mode);
  void await_grant(WindowState& state, int target);
  void leave(WindowState& state, int target);
  [[gnu::cold]] void wait_to_enter(WindowState& state, int target, WindowLock::Claim claim);
  void take_seats();
  void grant(const Waiting& granted);
  // Those who sleep for the lock of `owner` in a window.
  void wake(const WindowState& state, int owner);
  void look_now_and_then();

  OneSided& one_sided_;
  links::Links& links_;
  progress::Progress& progress_;
  OneSided::MemoryOf memory_of_;
  std::list<Waiting> waiting_;  // in the order in which they came
  unsigned calls_ = 0;
};

}  // namespace antiphon::rma
