// Synchronization in which the target takes part: MPI 5.0, 12.5.1 and 12.5.2. Decides when a process may access
// the memory of others, and knows when others have finished with its own. Post and complete write the number of an
// epoch into the words of the other process (control.hpp): directly if these are mapped, and otherwise by a packet
// that tells the other to do so. Such a packet arrives after puts by packets. So a process that has "completed"
// from all origins has all data that they put.
#pragma once

#include <algorithm>

#include "base/prefetch.hpp"
#include "engine/coll/collectives.hpp"
#include "engine/rma/carried_put.hpp"
#include "engine/rma/one_sided.hpp"

namespace antiphon::rma {

class ActiveTarget {
 public:
  ActiveTarget(OneSided& one_sided, links::Links& links, transport::Dispatcher& dispatcher, coll::Collectives& coll,
               progress::Progress& progress);

  // `assertion` is the user's argument, already checked. These fail with ERR_RMA_SYNC if the state of the window does
  // not allow them. A call that ends an access epoch fails with ERR_RMA_RANGE if an operation touched memory that is
  // not attached.
  void fence(WindowState& state, int assertion);
  void post(WindowState& state, objects::Group& group, int assertion);
  void start(WindowState& state, objects::Group& group, int assertion);
  void complete(WindowState& state);
  void wait(WindowState& state);
  [[nodiscard]] bool test(WindowState& state);

  // The short ways of these procedures: for processes that have mapped each other's words, with the same group as
  // last time, if what is waited for comes soon. If they return false, nothing has happened.
  [[nodiscard]] bool try_post(WindowState& state, const objects::Group& group) noexcept {
    if (!state.may_post_again(group) || !all_are_near(state, state.origins())) return false;
    state.post_again();
    for (const int origin : state.origins()) say_posted(state, state.of(origin));
    return true;
  }
  [[nodiscard]] bool try_start(WindowState& state, const objects::Group& group) noexcept {
    if (!state.may_start_again(group)) return false;
    state.start_again();
    return true;
  }
  [[nodiscard]] bool try_complete(WindowState& state) noexcept {
    if (!state.may_complete_now() || !all_are_near(state, state.targets())) return false;
    if (!comes_soon([&] { return all_may_be_told(state); })) return false;
    for (const int target : state.targets()) {
      say_completed(state, target);
      ask_for_next_line(state, state.of(target));
    }
    state.completed();
    return true;
  }
  [[nodiscard]] bool try_wait(WindowState& state) noexcept {
    if (!state.may_wait_now() || !progress_.may_skip_look()) return false;
    if (!comes_soon([&] { return all_have_completed(state); })) return false;
    end_exposure(state);
    return true;
  }

 private:
  static bool all_may_be_told(WindowState& state) noexcept {
    return std::ranges::all_of(state.targets(), [&](int target) { return CarriedPut(state, target).may_be_said(); });
  }
  static bool all_have_completed(const WindowState& state) noexcept {
    return std::ranges::all_of(state.origins(), [&](int origin) { return state.has_completed(origin); });
  }
  static void end_exposure(WindowState& state) noexcept {
    for (const int origin : state.origins()) take_in(state, origin);
    state.waited();
  }
  // Whether these ranks are all other processes whose words this process has mapped.
  static bool all_are_near(const WindowState& state, const std::vector<int>& ranks) noexcept {
    return std::ranges::all_of(ranks, [&](int rank) { return state.of(rank).memory != nullptr; });
  }
  // Looks up to kLooks times, before the caller polls everything else; only once if ranks share cores, because the
  // process that is waited for may need this core.
  template <class Done>
  [[nodiscard]] bool comes_soon(Done&& done) const noexcept {
    constexpr int kLooks = 200;
    for (int look = progress_.is_crowded() ? kLooks : 1; look <= kLooks; ++look)
      if (done()) return true;
    return false;
  }

  static void say_posted(const WindowState& state, const WindowState::Target& near) noexcept {
    near.control.posted(state.rank()).store(near.exposures, std::memory_order_release);
    near.memory->wake();
  }
  static void say_completed(WindowState& state, int near) noexcept {
    CarriedPut(state, near).say();
    state.of(near).memory->wake();
  }
  // Fetches the line that the end of the next epoch will write, while this process waits for other things. The target
  // last polled that line in the epoch before this one, and does not poll it again before the next epoch.
  static void ask_for_next_line(const WindowState& state, const WindowState::Target& target) noexcept {
    Control::Count& next = target.control.completed(state.rank(), target.accesses + 1);
    base::prefetch_to_write(reinterpret_cast<std::byte*>(&next), sizeof next);
  }

  void on_posted(int source, const transport::PacketHeader&, transport::Payload);
  void on_completed(int source, const transport::PacketHeader&, transport::Payload);

  void tell_posted(WindowState& state, int origin);
  void tell_completed(WindowState& state, int target);
  void tell_by_packet(const WindowState& state, int rank, std::uint8_t handler, std::uint32_t epoch);
  void await_completed(const WindowState& state, int origin);

  OneSided& one_sided_;
  links::Links& links_;
  coll::Collectives& coll_;
  progress::Progress& progress_;
};

}  // namespace antiphon::rma
