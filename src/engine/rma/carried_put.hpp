// Access epochs that are complete before the origin has checked whether the target has posted. MPI_Win_start does
// not check. If the first put to a target has only a few bytes, it is written into the line that will tell the
// target that the epoch is over (Control::Completion), and the target carries it out in its wait. So one cache
// line carries both, and an origin may be ahead of its targets. All other operations on a target first wait for
// its post (OneSided::reach).
#pragma once

#include "base/copy.hpp"
#include "base/has_reached.hpp"
#include "engine/rma/window_state.hpp"

namespace antiphon::rma {

// At the target, whose memory begins there.
inline void carry_out(const Control::Completion& completion, std::byte* memory) noexcept {
  base::copy_bytes<sizeof completion.data>(memory + completion.offset, completion.data, completion.bytes);
}

// An origin has completed: does what its word carries, and learns how many epochs of this process's to it are over.
inline void take_in(WindowState& state, int origin) noexcept {
  WindowState::Target& from = state.of(origin);
  const Control::Completion* const line = state.control().completion(origin, from.exposures);
  if (!line) return;
  if (line->bytes != 0) carry_out(*line, state.of(state.rank()).here);
  // What a packet said leaves the number of an older word.
  if (base::has_reached(line->exposures_over, from.accesses_over)) from.accesses_over = line->exposures_over;
}

// What this process has for one target, from start to complete.
class CarriedPut {
 public:
  CarriedPut(WindowState& state, int target) : state_(state), rank_(target), target_(state.of(target)) {}

  // Whether complete may say now that the epoch is over, or has to wait for the post of at most this epoch. Its line
  // was that of the epoch before the last, which the target has waited for if it has posted for the last.
  [[nodiscard]] bool may_be_said() const noexcept {
    if (target_.open) return true;
    if (!line()) return state_.has_posted(rank_, target_.accesses);
    const std::uint32_t before_last = target_.accesses - 2;
    return base::has_reached(target_.accesses_over, before_last) || state_.has_posted(rank_, target_.accesses - 1);
  }

  // False: it cannot be carried, and nothing has happened.
  [[nodiscard]] bool try_take(const std::byte* from, std::size_t bytes, std::int64_t displacement) noexcept {
    if (!target_.started || target_.carries || bytes > Control::Completion::kMostCarried) return false;
    std::int64_t offset = 0;
    if (displacement < 0 ||
        !WindowState::find_offset(target_, displacement, {0, static_cast<std::int64_t>(bytes)}, &offset))
      return false;
    Control::Completion* const line = this->line();
    if (!line || !target_.here || !may_be_said()) return false;
    line->offset = static_cast<std::uint64_t>(offset);
    line->bytes = static_cast<std::uint32_t>(bytes);
    base::copy_bytes<sizeof line->data>(line->data, from, bytes);
    target_.carries = true;
    state_.use();
    return true;
  }

  // The target has posted, and there is more to be done to it.
  void do_now() noexcept {
    if (target_.carries) carry_out(*line(), target_.here);
    target_.carries = false;
    state_.open(rank_);
  }

  // The epoch is over, and the target's words are here.
  void say() noexcept {
    Control::Completion* const line = this->line();
    if (line) {
      line->exposures_over = target_.exposures_over;
      if (!target_.carries) line->bytes = 0;
    }
    Control::Count& epoch = line ? line->epoch : target_.control.completed(state_.rank(), target_.accesses);
    epoch.store(target_.accesses, std::memory_order_release);
  }

 private:
  // Of another process whose words are here.
  [[nodiscard]] Control::Completion* line() const noexcept {
    return target_.memory ? target_.control.completion(state_.rank(), target_.accesses) : nullptr;
  }

  WindowState& state_;
  int rank_;
  WindowState::Target& target_;
};

}  // namespace antiphon::rma
