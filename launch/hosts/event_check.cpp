#include "hosts/event_check.hpp"

#include <algorithm>
#include <functional>

#include "wire/archive.hpp"

namespace antiphon::launch {

EventCheck::EventCheck(const JobDescription& job)
    : names_(job.node_names), places_(job.places), ranks_on_(job.node_names.size()), streams_(job.streams.size()) {
  for (const bootstrap::Place& place : places_) ++ranks_on_[static_cast<std::size_t>(place.node)];
}

bool EventCheck::runs_on(int node, int rank) const {
  return rank >= 0 && static_cast<std::size_t>(rank) < places_.size() &&
         places_[static_cast<std::size_t>(rank)].node == node;
}

void EventCheck::check(int node, const NodeEvent& event) const {
  const std::size_t here = ranks_on_[static_cast<std::size_t>(node)];
  const auto is_ours = [&](const auto& of_rank) { return runs_on(node, of_rank.rank); };
  bool good = true;
  if (const auto* prepared = std::get_if<Prepared>(&event)) good = prepared->binding.size() == here;
  if (const auto* started = std::get_if<Started>(&event)) good = started->pids.size() == here;
  if (const auto* printed = std::get_if<Printed>(&event)) good = is_ours(*printed) && printed->stream < streams_;
  if (const auto* ended = std::get_if<StreamEnded>(&event)) good = is_ours(*ended) && ended->stream < streams_;
  if (const auto* abort = std::get_if<Aborted>(&event)) good = abort->rank == -1 || is_ours(*abort);
  if (const auto* ended = std::get_if<Ended>(&event))
    good = !ended->ranks.empty() && std::ranges::all_of(ended->ranks, is_ours) &&
           std::ranges::adjacent_find(ended->ranks, std::ranges::greater_equal{}, &EndedRank::rank) ==
               ended->ranks.end();
  if (const auto* seen = std::get_if<Seen>(&event))
    good = std::ranges::all_of(seen->ranks, is_ours) && seen->ranks.size() <= here;
  if (const auto* finished = std::get_if<Finished>(&event))
    good = finished->counted.empty() || finished->counted.size() == here;
  if (!good) throw Malformed("a message about ranks of other hosts");
}

}  // namespace antiphon::launch
