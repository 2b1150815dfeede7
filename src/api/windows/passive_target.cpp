// Synchronization in which the target takes no part: MPI 5.0, 12.5.3 and 12.5.4.
#include "api/call.hpp"
#include "api/check.hpp"

namespace antiphon::api {

using objects::Window;
using rma::PassiveTarget;

namespace {

PassiveTarget::Check check_assertion(int assertion) {
  if ((assertion & ~abi::MODE_NOCHECK) != 0)
    base::fail(abi::ERR_ASSERT, fmt::format("assert={} is not valid (valid: 0 or MPI_MODE_NOCHECK)", assertion));
  return assertion == 0 ? PassiveTarget::Check::yes : PassiveTarget::Check::no;
}

PassiveTarget::Mode mode_of(int lock_type) {
  if (lock_type == abi::LOCK_EXCLUSIVE) return PassiveTarget::Mode::exclusive;
  if (lock_type != abi::LOCK_SHARED)
    base::fail(abi::ERR_LOCKTYPE,
               fmt::format("lock_type={} is not valid (valid: MPI_LOCK_EXCLUSIVE, MPI_LOCK_SHARED)", lock_type));
  return PassiveTarget::Mode::shared;
}

void need_locks(const Window& window) {
  if (window.has_no_locks())
    base::fail(abi::ERR_RMA_SYNC,
               fmt::format("{} was created with the hint no_locks, so it cannot be locked", window.title()));
}

// Whether there is anything to be done: with MPI_PROC_NULL there is not.
bool is_target(int rank, const Window& window) {
  check::target("rank", rank, window);
  return rank != abi::PROC_NULL;
}

}  // namespace

void win_lock(Process& process, int lock_type, int rank, int assertion, Window& win) {
  const PassiveTarget::Mode mode = mode_of(lock_type);
  const PassiveTarget::Check checked = check_assertion(assertion);
  need_locks(win);
  if (is_target(rank, win)) process.passive_target().lock(win.state(), rank, mode, checked);
}

void win_unlock(Process& process, int rank, Window& win) {
  if (is_target(rank, win)) process.passive_target().unlock(win.state(), rank);
}

void win_lock_all(Process& process, int assertion, Window& win) {
  const PassiveTarget::Check checked = check_assertion(assertion);
  need_locks(win);
  process.passive_target().lock_all(win.state(), checked);
}

void win_unlock_all(Process& process, Window& win) { process.passive_target().unlock_all(win.state()); }

void win_flush(Process& process, int rank, Window& win) {
  if (is_target(rank, win)) process.passive_target().flush(win.state(), rank);
}

void win_flush_all(Process& process, Window& win) { process.passive_target().flush_all(win.state()); }

void win_flush_local(Process& process, int rank, Window& win) {
  if (is_target(rank, win)) process.passive_target().flush_local(win.state(), rank);
}

void win_flush_local_all(Process& process, Window& win) { process.passive_target().flush_local_all(win.state()); }

void win_sync(Process& process, Window&) { process.passive_target().sync(); }

}  // namespace antiphon::api
