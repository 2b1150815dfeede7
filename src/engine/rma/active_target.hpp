// Synchronization in which the target takes part: MPI 5.0, 12.5.1 and 12.5.2. Says when a process may reach into the
// memory of others and when others are done with its own. What post and complete say are counts among the words of
// whoever they are said to (control.hpp): raised there by those who have these in their memory, and elsewhere by the
// member itself, when a packet tells it to. That travels behind what was put by packets, so whoever has "completed"
// from all origins has all that they put.
#pragma once

#include <algorithm>

#include "base/prefetch.hpp"
#include "engine/coll/collectives.hpp"
#include "engine/rma/one_sided.hpp"

namespace antiphon::rma {

class ActiveTarget {
 public:
  ActiveTarget(OneSided& one_sided, links::Links& links, transport::Dispatcher& dispatcher, coll::Collectives& coll,
               progress::Progress& progress);

  // `assertion` is the user's, checked. These fail with ERR_RMA_SYNC where the state of the window does not allow
  // them, and the last of an access epoch with ERR_RMA_RANGE if something was done to memory that is not attached.
  void fence(WindowState& state, int assertion);
  void post(WindowState& state, objects::Group& group, int assertion);
  void start(WindowState& state, objects::Group& group, int assertion);
  void complete(WindowState& state);
  void wait(WindowState& state);
  [[nodiscard]] bool test(WindowState& state);

  // What these come to among processes that have each other's words, with the group of the last time, when what is
  // waited for comes soon. False: nothing has happened.
  [[nodiscard]] bool try_post(WindowState& state, const objects::Group& group) noexcept {
    if (!state.may_post_again(group) || !all_are_near(state, state.origins())) return false;
    state.post_again();
    for (const int origin : state.origins()) {
      ++state.of(origin).completions;
      tell_directly(state, state.of(origin), Said::posted);
    }
    return true;
  }
  [[nodiscard]] bool try_start(WindowState& state, const objects::Group& group) noexcept {
    if (!state.may_start_again(group)) return false;
    for (const int target : state.targets()) take_line(state, state.of(target), Said::completed);
    const auto has_posted = [&](int target) {
      return has_said(state, target, Said::posted, state.of(target).posts + 1);
    };
    if (!comes_soon([&] { return std::ranges::all_of(state.targets(), has_posted); })) return false;
    for (const int target : state.targets()) ++state.of(target).posts;
    state.start_again();
    return true;
  }
  [[nodiscard]] bool try_complete(WindowState& state) noexcept {
    if (!state.may_complete_now() || !all_are_near(state, state.targets())) return false;
    for (const int target : state.targets()) tell_directly(state, state.of(target), Said::completed);
    state.completed();
    return true;
  }
  [[nodiscard]] bool try_wait(WindowState& state) noexcept {
    if (!state.may_wait_now()) return false;
    for (const int origin : state.origins()) take_line(state, state.of(origin), Said::posted);
    if (!comes_soon([&] { return all_have_completed(state); })) return false;
    state.waited();
    return true;
  }

 private:
  using Said = Control::Said;

  // Counts may overflow.
  static bool has_said(const WindowState& state, int rank, Said what, std::uint32_t count) noexcept {
    const std::uint32_t said = state.control().count(rank, what).load(std::memory_order_acquire);
    return static_cast<std::int32_t>(said - count) >= 0;
  }
  static bool all_have_completed(const WindowState& state) noexcept {
    return std::ranges::all_of(state.origins(), [&](int origin) {
      return has_said(state, origin, Said::completed, state.of(origin).completions);
    });
  }
  // Whether all of them are other processes whose words are here.
  static bool all_are_near(const WindowState& state, const std::vector<int>& ranks) noexcept {
    return std::ranges::all_of(ranks, [&](int rank) { return state.of(rank).memory != nullptr; });
  }
  // A few looks, before everything else is looked at, too. Where ranks outnumber cores, what is looked for may need
  // this one.
  template <class Done>
  [[nodiscard]] bool comes_soon(Done&& done) const noexcept {
    constexpr int kLooks = 200;
    for (int look = progress_.is_crowded() ? kLooks : 1; look <= kLooks; ++look)
      if (done()) return true;
    return false;
  }

  static void raise(Control::Count& count) noexcept {
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  static void tell_directly(const WindowState& state, const WindowState::Target& near, Said what) noexcept {
    raise(near.control.count(state.rank(), what));
    near.memory->wake();
  }
  // This process is about to tell that, but first waits for something: meanwhile the line may come. Its owner, who
  // has looked at it before, does not look again before other things have been said.
  static void take_line(const WindowState& state, const WindowState::Target& member, Said what) noexcept {
    if (!member.memory) return;
    Control::Count& count = member.control.count(state.rank(), what);
    base::prefetch_to_write(reinterpret_cast<std::byte*>(&count), sizeof count);
  }

  void on_posted(int source, const transport::PacketHeader&, transport::Payload);
  void on_completed(int source, const transport::PacketHeader&, transport::Payload);

  enum class Way : std::uint8_t { any, behind_packets };
  void tell(WindowState& state, int rank, Said what, Way way);
  void await(const WindowState& state, int rank, Said what, std::uint32_t count);

  OneSided& one_sided_;
  links::Links& links_;
  coll::Collectives& coll_;
  progress::Progress& progress_;
};

}  // namespace antiphon::rma
