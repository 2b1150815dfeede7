#include "mpiexec/hang.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace antiphon::launch {
namespace {

using bootstrap::WaitNote;
using Condition = RankView::Condition;

bool can_still_act(const RankView& rank) {
  return rank.condition != Condition::finalized && rank.condition != Condition::exited;
}

// The index of the rank that rank number `rank` of the view waits for; nothing if it may be any or several, or is not
// in the view.
std::optional<std::size_t> awaited(const JobView& view, std::size_t rank) {
  const RankView& waiter = view.ranks[rank];
  if (waiter.condition != Condition::asleep || waiter.wait.peer < 0) return std::nullopt;
  const auto peer = std::find_if(view.ranks.begin(), view.ranks.end(),
                                 [&](const RankView& other) { return other.rank == waiter.wait.peer; });
  if (peer == view.ranks.end()) return std::nullopt;
  return static_cast<std::size_t>(peer - view.ranks.begin());
}

// Text that another process has written; it may lack the terminating null character.
template <std::size_t size>
std::string_view text_of(const char (&text)[size]) {
  return {text, static_cast<std::size_t>(std::find(text, text + size, '\0') - text)};
}

std::string_view preposition(std::string_view call) {
  if (call.find("ecv") != std::string_view::npos || call.find("robe") != std::string_view::npos) return "from";
  if (call.find("end") != std::string_view::npos) return "to";
  return "on";
}

std::string describe_wait(const WaitNote& wait, std::uint64_t waited_ns) {
  const std::string_view call = text_of(wait.call);
  std::string text = call.empty() ? "MPI" : std::string{call};
  if (wait.peer >= 0) text += fmt::format(" {} rank {}", preposition(call), wait.peer);
  if (wait.peer == WaitNote::kAnyPeer) text += fmt::format(" {} any rank", preposition(call));
  if (wait.tag >= 0) text += fmt::format(", tag {}", wait.tag);
  if (wait.tag == WaitNote::kAnyTag) text += ", any tag";
  if (wait.bytes >= 0) text += fmt::format(", {} bytes", wait.bytes);
  if (const std::string_view name = text_of(wait.communicator); !name.empty()) text += fmt::format(", {}", name);
  return text + fmt::format(", for {:.1f} s", static_cast<double>(waited_ns) / 1e9);
}

std::string describe_stop(const RankView& rank) {
  if (rank.by == platform::Stopped::by_tracer) return fmt::format("is stopped by a debugger (pid {})", rank.pid);
  return fmt::format("is stopped by a signal, as SIGSTOP or Ctrl-Z (kill -CONT {} lets it go on)", rank.pid);
}

std::string describe_rank(const RankView& rank) {
  switch (rank.condition) {
    case Condition::running:
      return "runs";
    case Condition::asleep:
      return "waits in " + describe_wait(rank.wait, rank.waited_ns);
    case Condition::stopped:
      return describe_stop(rank);
    case Condition::finalized:
      return "has called MPI_Finalize";
    case Condition::exited:
      return "has exited";
  }
  return {};
}

// Shows only the beginning of a long cycle; describe_waits() lists every rank.
std::string explain_cycle(const std::vector<int>& cycle) {
  constexpr std::size_t kShown = 16;
  std::string text = fmt::format("cycle: rank {}", cycle.front());
  for (std::size_t i = 1; i < std::min(cycle.size(), kShown); ++i)
    text += fmt::format(" waits for rank {}, which", cycle[i]);
  if (cycle.size() > kShown)
    text += fmt::format(" waits for rank {}, and so on through {} ranks, until rank {}", cycle[kShown], cycle.size(),
                        cycle.back());
  return text + fmt::format(" waits for rank {}", cycle.front());
}

std::string explain_waits_for_the_finished(const JobView& view) {
  std::string text;
  for (std::size_t rank = 0; rank < view.ranks.size(); ++rank) {
    const std::optional<std::size_t> peer = awaited(view, rank);
    if (!peer || can_still_act(view.ranks[*peer])) continue;
    text += fmt::format("{}rank {} waits for rank {}, which {}", text.empty() ? "" : "\n", view.ranks[rank].rank,
                        view.ranks[*peer].rank, describe_rank(view.ranks[*peer]));
  }
  return text;
}

// Names the first few of many ranks.
std::string name_some(const std::vector<int>& ranks) {
  constexpr std::size_t kShown = 8;
  const std::size_t shown = std::min(ranks.size(), kShown);
  return fmt::format("rank{} {}{}", ranks.size() == 1 ? "" : "s",
                     fmt::join(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown == ranks.size() ? "" : fmt::format(" and {} more", ranks.size() - shown));
}

// Finds ranks that wait in the same collective of the same communicator, by its number, but have called different
// procedures or passed different arguments.
std::string explain_disagreements(const JobView& view) {
  using Collective = std::pair<std::string_view, std::uint32_t>;
  std::map<Collective, std::map<std::string, std::vector<int>>> calls;
  for (const RankView& rank : view.ranks) {
    if (rank.condition != Condition::asleep || rank.wait.nth == 0) continue;
    const std::string_view agreed = text_of(rank.wait.agreed);
    calls[{text_of(rank.wait.communicator), rank.wait.nth}]
         [fmt::format("{}{}{}", text_of(rank.wait.call), agreed.empty() ? "" : " with ", agreed)]
             .push_back(rank.rank);
  }
  std::string text;
  for (const auto& [collective, ranks_by_call] : calls) {
    if (ranks_by_call.size() < 2) continue;
    text += fmt::format("{}ranks of {} disagree about their collective number {}:", text.empty() ? "" : "\n",
                        collective.first, collective.second);
    for (const auto& [call, ranks] : ranks_by_call) text += fmt::format("\n  {}: {}", call, name_some(ranks));
  }
  return text;
}

// Whether a wait may be for a nonblocking or persistent collective. If the wait names a peer, that must be `rank`.
bool may_wait_for_later_collective(const WaitNote& wait, int rank) {
  return text_of(wait.call).starts_with("MPI_Wait") && (wait.peer == rank || wait.peer == WaitNote::kNoPeer);
}

// Says why ranks have failed in a collective in which others still wait; each cause once. For nonblocking and
// persistent collectives it is not known which of them a rank waits for.
std::string explain_failures(const JobView& view) {
  std::set<std::string> causes;
  for (const RankView& failed : view.ranks) {
    if (!failed.failure) continue;
    const bool later = failed.failure->nth == bootstrap::FailureNote::kLater;
    const std::string_view communicator = text_of(failed.failure->communicator);
    const auto may_be_in_it = [&](const RankView& rank) {
      return rank.condition == Condition::asleep && text_of(rank.wait.communicator) == communicator &&
             (later ? may_wait_for_later_collective(rank.wait, failed.rank) : rank.wait.nth == failed.failure->nth);
    };
    if (!std::ranges::any_of(view.ranks, may_be_in_it)) continue;
    const std::string which = later ? "a collective" : fmt::format("collective number {}", failed.failure->nth);
    causes.insert(fmt::format("{} of {}: {}", which, communicator, text_of(failed.failure->text)));
  }
  return fmt::to_string(fmt::join(causes, "\n"));
}

}  // namespace

bool HangDetector::observe(const JobView& view) {
  frozen_snapshots_ = is_frozen(view) ? frozen_snapshots_ + 1 : 1;
  last_ = view;
  return frozen_snapshots_ == snapshots_;
}

bool HangDetector::is_frozen(const JobView& view) const {
  if (last_.ranks.size() != view.ranks.size()) return false;
  bool somebody_waits = false;
  for (std::size_t i = 0; i < view.ranks.size(); ++i) {
    const RankView& before = last_.ranks[i];
    const RankView& after = view.ranks[i];
    if (!can_still_act(before) && !can_still_act(after)) continue;
    if (before.condition == Condition::stopped && after.condition == Condition::stopped) continue;
    if (before.condition != Condition::asleep || after.condition != Condition::asleep) return false;
    if (before.sleeps != after.sleeps || before.wait_version != after.wait_version) return false;
    if (after.cpu_ms > before.cpu_ms + kIdleCpu_ms) return false;
    somebody_waits = true;
  }
  return somebody_waits;
}

std::vector<int> find_cycle(const JobView& view) {
  // Each rank waits for at most one other, so a walk along these edges either ends or returns to a rank of the same
  // walk.
  std::vector<std::size_t> walk_of(view.ranks.size(), 0);
  for (std::size_t start = 0; start < view.ranks.size(); ++start) {
    std::optional<std::size_t> rank = start;
    while (rank && walk_of[*rank] == 0) {
      walk_of[*rank] = start + 1;
      rank = awaited(view, *rank);
    }
    if (!rank || walk_of[*rank] != start + 1) continue;
    std::vector<int> cycle;
    for (std::size_t member = *rank; cycle.empty() || member != *rank; member = *awaited(view, member)) {
      cycle.push_back(view.ranks[member].rank);
    }
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
  }
  return {};
}

bool is_any_stopped(const JobView& view) {
  return std::ranges::any_of(view.ranks, [](const RankView& rank) { return rank.condition == Condition::stopped; });
}

std::string describe_waits(const JobView& view) {
  std::string text;
  for (const RankView& rank : view.ranks)
    text += fmt::format("{}  rank {} {}", text.empty() ? "" : "\n", rank.rank, describe_rank(rank));
  return text;
}

std::string diagnose(const JobView& view) {
  std::string text = describe_waits(view);
  if (const std::vector<int> cycle = find_cycle(view); !cycle.empty()) text += "\n" + explain_cycle(cycle);
  if (const std::string finished = explain_waits_for_the_finished(view); !finished.empty()) text += "\n" + finished;
  if (const std::string disagree = explain_disagreements(view); !disagree.empty()) text += "\n" + disagree;
  if (const std::string failures = explain_failures(view); !failures.empty()) text += "\n" + failures;
  return text;
}

}  // namespace antiphon::launch
