#include "engine/rma/window_state.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "objects/group_operations.hpp"

namespace antiphon::rma {

using objects::Ref;
using objects::Window;

WindowState::WindowState(Ref<Window> window, std::span<const Exposed> exposed, std::uint64_t granularity)
    : targets_(std::make_unique<Target[]>(exposed.size())),
      size_(static_cast<int>(exposed.size())),
      rank_(window->comm().rank()),
      window_(std::move(window)) {
  for (std::size_t rank = 0; rank < exposed.size(); ++rank) targets_[rank].exposed = exposed[rank];
  Target& mine = of(rank_);
  if (mine.exposed.control != 0) {
    mine.control = Control(reinterpret_cast<std::byte*>(mine.exposed.control), size_);
  } else {
    const std::size_t bytes = Control::bytes(size_) + Control::kAlignment;
    own_control_ = std::make_unique<std::byte[]>(bytes);
    std::byte* const start = Control::aligned(own_control_.get());
    Control::decide(start, granularity);
    mine.control = Control(start, size_);
  }
}

Resolved WindowState::resolve_negative(int target, std::int64_t displacement, Extent touched) const noexcept {
  using Verdict = Resolved::Verdict;
  if (!is_dynamic()) return {Verdict::negative, nullptr, 0};
  std::int64_t begin = 0, end = 0;
  if (__builtin_add_overflow(displacement, touched.begin, &begin) ||
      __builtin_add_overflow(displacement, touched.end, &end) || begin < 0)
    return {Verdict::out_of_range, nullptr, 0};
  return {Verdict::may_go, nullptr, of(target).exposed.address + static_cast<std::uint64_t>(displacement)};
}

// ---- the order of synchronizations

void WindowState::out_of_order(const char* what) const {
  base::fail(abi::ERR_RMA_SYNC, fmt::format("{}: {}", window_->title(), what));
}

void WindowState::no_epoch(int target) const {
  if (access_ == Access::none)
    out_of_order("there is no access epoch: call MPI_Win_fence, MPI_Win_start or MPI_Win_lock first");
  if (access_ == Access::lock)
    base::fail(abi::ERR_RMA_SYNC, fmt::format("target_rank={} is not locked in {}", target, window_->title()));
  base::fail(abi::ERR_RMA_SYNC, fmt::format("target_rank={} is not in the group that MPI_Win_start was given for {}",
                                            target, window_->title()));
}

void WindowState::need_no_access() const {
  if (access_ == Access::start) out_of_order("MPI_Win_start has begun an epoch: call MPI_Win_complete first");
  if (access_ == Access::lock_all) out_of_order("MPI_Win_unlock_all has to end what MPI_Win_lock_all began");
  if (access_ == Access::lock) need_locks_ended();
}

void WindowState::need_no_epoch() const {
  need_no_access();
  if (exposure_ == Exposure::post) out_of_order("MPI_Win_wait has to end what MPI_Win_post began");
}

void WindowState::may_fence() const { need_no_epoch(); }

void WindowState::fenced(bool another_follows) {
  access_ = another_follows ? Access::fence : Access::none;
  exposure_ = another_follows ? Exposure::fence : Exposure::none;
  all_open_ = another_follows;
  used_ = false;
  forget_applied();
}

// MPI_Win_start and MPI_Win_post may follow a fence whose epoch has not been used.
void WindowState::need_unused_fence() const {
  if (fence_in_use()) out_of_order("MPI_Win_fence has to end the epoch that it began");
}

void WindowState::find_ranks(objects::Group& group, Partners* partners) const {
  if (partners->group.get() == &group) return;
  partners->group = {};
  partners->ranks.clear();
  const objects::RankIndex members(comm().group());
  for (int rank = 0; rank < group.size(); ++rank) {
    partners->ranks.push_back(members.rank_of(group.world_rank(rank)));
    if (partners->ranks.back() < 0)
      base::fail(abi::ERR_GROUP, fmt::format("rank {} of group is rank {} of MPI_COMM_WORLD, which is not in {}",
                                             rank, group.world_rank(rank), window_->title()));
  }
  partners->group = Ref<objects::Group>::share(group);
}

void WindowState::start(objects::Group& group) {
  if (access_ == Access::start) out_of_order("MPI_Win_start was called before, without MPI_Win_complete");
  need_no_access();
  need_unused_fence();
  find_ranks(group, &targets_of_start_);
  start_again();
  if (exposure_ == Exposure::fence) exposure_ = Exposure::none;
}

void WindowState::may_complete() const {
  if (access_ != Access::start) out_of_order("MPI_Win_start begins what MPI_Win_complete ends");
}

// ---- passive targets

void WindowState::need_locks_ended() const {
  for (int target = 0; target < size_; ++target)
    if (of(target).locked != Locked::no)
      base::fail(abi::ERR_RMA_SYNC,
                 fmt::format("{}: rank {} is locked: call MPI_Win_unlock first", window_->title(), target));
}

void WindowState::need_passive() const {
  if (access_ != Access::lock && access_ != Access::lock_all)
    out_of_order("no target is locked: this is for between MPI_Win_lock, or MPI_Win_lock_all, and its end");
}

void WindowState::may_lock(int target) const {
  if (of(target).locked != Locked::no)
    base::fail(abi::ERR_RMA_SYNC, fmt::format("{}: rank {} is locked already", window_->title(), target));
  if (access_ != Access::lock) need_no_access();
  need_unused_fence();
}

void WindowState::may_unlock(int target) const {
  if (access_ == Access::lock_all) out_of_order("MPI_Win_unlock_all has to end what MPI_Win_lock_all began");
  if (of(target).locked == Locked::no)
    base::fail(abi::ERR_RMA_SYNC,
               fmt::format("{}: rank {} is not locked: call MPI_Win_lock first", window_->title(), target));
}

void WindowState::may_lock_all() const {
  if (access_ == Access::lock_all) out_of_order("MPI_Win_lock_all was called before, without MPI_Win_unlock_all");
  need_no_access();
  need_unused_fence();
}

void WindowState::locked_all(Locked how) {
  begin_passive(Access::lock_all);
  for (int target = 0; target < size_; ++target) of(target).locked = how;
}

void WindowState::may_unlock_all() const {
  if (access_ != Access::lock_all) out_of_order("MPI_Win_lock_all begins what MPI_Win_unlock_all ends");
}

void WindowState::unlocked_all() {
  for (int target = 0; target < size_; ++target) of(target).locked = Locked::no;
  access_ = Access::none;
  all_open_ = false;
  used_ = false;
}

void WindowState::may_flush(int target) const {
  need_passive();
  if (of(target).locked == Locked::no)
    base::fail(abi::ERR_RMA_SYNC, fmt::format("{}: rank {} is not locked", window_->title(), target));
}

void WindowState::post(objects::Group& group) {
  if (exposure_ == Exposure::post) out_of_order("MPI_Win_post was called before, without MPI_Win_wait");
  need_unused_fence();
  find_ranks(group, &origins_of_post_);
  post_again();
  if (access_ != Access::fence) return;
  access_ = Access::none;
  all_open_ = false;
}

void WindowState::may_wait() const {
  if (exposure_ != Exposure::post) out_of_order("MPI_Win_post begins what MPI_Win_wait or MPI_Win_test ends");
}

void WindowState::may_end() const {
  need_no_epoch();
  need_unused_fence();
}

// ---- operations by packets

void WindowState::begun(int target) {
  ++under_way_;
  ++of(target).under_way;
}

void WindowState::over(int target) {
  --under_way_;
  --of(target).under_way;
}

void WindowState::needs_confirmation(int target) {
  if (!std::exchange(of(target).unconfirmed, true)) unconfirmed_.push_back(target);
}

std::vector<int> WindowState::ask_for_confirmations() {
  std::vector<int> asked = std::exchange(unconfirmed_, {});
  for (const int target : asked) {
    of(target).unconfirmed = false;
    ++of(target).confirmations;
  }
  confirmations_ += static_cast<int>(asked.size());
  return asked;
}

bool WindowState::ask_for_confirmation(int target) {
  if (!std::exchange(of(target).unconfirmed, false)) return false;
  std::erase(unconfirmed_, target);
  ++of(target).confirmations;
  ++confirmations_;
  return true;
}

std::string WindowState::not_attached_text() const {
  return fmt::format("{}: an operation reached for memory that its target has not attached", window_->title());
}

void WindowState::not_attached() const { base::fail(abi::ERR_RMA_RANGE, not_attached_text()); }

}  // namespace antiphon::rma
