#include "mpiexec/snapshot.hpp"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <sstream>

namespace antiphon::launch {
namespace {

using Condition = RankView::Condition;

std::uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

// User and system time, fields 14 and 15 of /proc/PID/stat; 0 when it cannot be read.
std::uint64_t cpu_ms_of(int pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  fields >> user >> system;
  return (user + system) * 1000 / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
}

// The reader's half of the sequence lock around RankSlot::wait.
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
  return view;
}

}  // namespace

JobView take_snapshot(const bootstrap::NodeSegment& segment, const std::vector<bool>& exited) {
  JobView view{.now_ns = monotonic_ns(), .ranks = {}};
  for (std::uint32_t rank = 0; rank < segment.size(); ++rank) {
    view.ranks.push_back(view_rank(segment.slot(rank), exited[rank]));
  }
  const auto runs = [](const RankView& rank) { return rank.condition == Condition::running; };
  // The process table is worth a look only when the segment alone says that nothing moves.
  if (std::none_of(view.ranks.begin(), view.ranks.end(), runs)) {
    for (std::uint32_t rank = 0; rank < segment.size(); ++rank) {
      RankView& sleeper = view.ranks[rank];
      if (sleeper.condition == Condition::asleep) sleeper.cpu_ms = cpu_ms_of(segment.slot(rank).pid.load());
    }
  }
  return view;
}

}  // namespace antiphon::launch
