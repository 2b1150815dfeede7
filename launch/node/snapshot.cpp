#include "node/snapshot.hpp"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "platform/linux/process_stat.hpp"

namespace antiphon::launch {
namespace {

using Condition = RankView::Condition;

std::uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

// Reads RankSlot::wait, which a sequence lock protects.
RankView view_sleeper(const bootstrap::RankSlot& slot) {
  RankView view{.condition = Condition::asleep};
  view.sleeps = slot.sleeps.load(std::memory_order_acquire);
  view.wait_version = slot.wait_version.load(std::memory_order_acquire);
  std::memcpy(&view.wait, &slot.wait, sizeof view.wait);
  std::atomic_thread_fence(std::memory_order_acquire);
  const bool torn =
      view.wait_version % 2 != 0 || slot.wait_version.load(std::memory_order_relaxed) != view.wait_version;
  if (torn || slot.sleeping.load() == 0) view.condition = Condition::running;
  return view;
}

RankView view_condition(const bootstrap::RankSlot& slot, bool exited) {
  if (exited) return {.condition = Condition::exited};
  if (slot.state.load() == bootstrap::RankState::finalized) return {.condition = Condition::finalized};
  return slot.sleeping.load() == 1 ? view_sleeper(slot) : RankView{};
}

RankView view_rank(const bootstrap::RankSlot& slot, bool exited) {
  RankView view = view_condition(slot, exited);
  view.rank = slot.world_rank;
  view.pid = slot.pid.load();
  view.failure = bootstrap::failure_of(slot);
  if (const std::uint64_t now_ns = monotonic_ns(); view.wait.since_ns != 0 && now_ns > view.wait.since_ns)
    view.waited_ns = now_ns - view.wait.since_ns;
  return view;
}

}  // namespace

std::vector<RankView> take_snapshot(const bootstrap::NodeSegment& segment, const std::vector<bool>& exited) {
  std::vector<RankView> ranks;
  for (std::uint32_t rank = 0; rank < segment.size(); ++rank)
    ranks.push_back(view_rank(segment.slot(rank), exited[rank]));
  // Reading the process table takes long, so it is read only if no rank runs according to the segment.
  if (does_any_run(ranks)) return ranks;
  mark_stopped(ranks);
  for (RankView& sleeper : ranks) {
    if (sleeper.condition != Condition::asleep) continue;
    if (const auto stat = platform::process_stat(sleeper.pid)) sleeper.cpu_ms = stat->cpu_ms;
  }
  return ranks;
}

bool does_any_run(const std::vector<RankView>& ranks) {
  return std::ranges::any_of(ranks, [](const RankView& rank) { return rank.condition == Condition::running; });
}

void mark_stopped(std::vector<RankView>& ranks) {
  for (RankView& rank : ranks) {
    if (rank.condition != Condition::running && rank.condition != Condition::asleep) continue;
    rank.by = platform::who_stopped(rank.pid);
    if (rank.by != platform::Stopped::by_nobody) rank.condition = Condition::stopped;
  }
}

}  // namespace antiphon::launch
