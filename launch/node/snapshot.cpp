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
  return view;
}

}  // namespace

JobView take_snapshot(const bootstrap::NodeSegment& segment, const std::vector<bool>& exited) {
  JobView view{.now_ns = monotonic_ns(), .ranks = {}};
  for (std::uint32_t rank = 0; rank < segment.size(); ++rank) {
    view.ranks.push_back(view_rank(segment.slot(rank), exited[rank]));
  }
  const auto runs = [](const RankView& rank) { return rank.condition == Condition::running; };
  // Reading the process table takes long, so it is read only if no rank runs according to the segment.
  if (std::none_of(view.ranks.begin(), view.ranks.end(), runs)) {
    mark_stopped(view);
    for (RankView& sleeper : view.ranks) {
      if (sleeper.condition != Condition::asleep) continue;
      if (const auto stat = platform::process_stat(sleeper.pid)) sleeper.cpu_ms = stat->cpu_ms;
    }
  }
  return view;
}

void mark_stopped(JobView& view) {
  for (RankView& rank : view.ranks) {
    if (rank.condition != Condition::running && rank.condition != Condition::asleep) continue;
    rank.by = platform::who_stopped(rank.pid);
    if (rank.by != platform::Stopped::by_nobody) rank.condition = Condition::stopped;
  }
}

}  // namespace antiphon::launch
