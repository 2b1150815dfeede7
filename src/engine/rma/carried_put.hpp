// Lets an origin complete an access epoch before it has checked whether the target has posted. MPI_Win_start does not
// check. If the first put to a target has only a few bytes, the origin writes it into the line that will tell the
// target that the epoch is over (Control::Completion), and the target carries it out in its wait. So one cache line
// brings both, and an origin may be ahead of its targets. Every other operation first waits for the target's post
// (OneSided::reach).
#pragma once

#include "base/copy.hpp"
#include "base/has_reached.hpp"
#include "engine/rma/window_state.hpp"

namespace antiphon::rma {

// Done by the target, whose window begins at `memory`.
inline void carry_out(const Control::Completion& completion, std::byte* memory) noexcept {
  base::copy_bytes<sizeof completion.data>(memory + completion.offset, completion.data, completion.bytes);
}

// Called when an origin has completed: carries out the put in its line, and learns how many of this process's epochs
// the origin has waited for.
inline void take_in(WindowState& state, int origin) noexcept {
  WindowState::Target& from = state.of(origin);
  const Control::Completion* const line = state.control().completion(origin, from.exposures);
  if (!line) return;
  if (line->bytes != 0) carry_out(*line, state.of(state.rank()).here);
  // A completion by a packet does not write that number, which is then older than what is known.
  if (base::has_reached(line->exposures_over, from.accesses_over)) from.accesses_over = line->exposures_over;
}

// The put that one target's line carries, if there is one, from start to complete.
class CarriedPut {
 public:
  CarriedPut(WindowState& state, int target) : state_(state), rank_(target), target_(state.of(target)) {}

  // Whether complete may write the line now, or must first wait for a post. Its line was last used in the epoch
  // before the last one. The target has read it if it has said that it waited for that epoch, or has posted for the
  // last one.
  [[nodiscard]] bool may_be_said() const noexcept {
    if (target_.open) return true;
    if (!line()) return state_.has_posted(rank_, target_.accesses);
    const std::uint32_t before_last = target_.accesses - 2;
    return base::has_reached(target_.accesses_over, before_last) || state_.has_posted(rank_, target_.accesses - 1);
  }

  // False if this put cannot be carried; then nothing has happened.
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

  // Carries out the put now. The target has posted, and a further operation follows.
  void do_now() noexcept {
    if (target_.carries) carry_out(*line(), target_.here);
    target_.carries = false;
    state_.open(rank_);
  }

  // Writes the line: the epoch is over. This process must have mapped the target's words.
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
  // Null if the target's words are not mapped, are this process's own, or are not in lines.
  [[nodiscard]] Control::Completion* line() const noexcept {
    return target_.memory ? target_.control.completion(state_.rank(), target_.accesses) : nullptr;
  }

  WindowState& state_;
  int rank_;
  WindowState::Target& target_;
};

}  // namespace antiphon::rma
