#include "mpiexec/looks.hpp"

#include <algorithm>

namespace antiphon::launch {

Look Looks::begin(const std::vector<int>& nodes, bool even_if_some_run) {
  awaited_ = {nodes.begin(), nodes.end()};
  ranks_.clear();
  some_run_ = false;
  even_if_some_run_ = even_if_some_run;
  return {.number = ++number_, .even_if_some_run = even_if_some_run};
}

bool Looks::add(int node, const Seen& seen) {
  if (seen.number != number_ || !awaited_.contains(node)) return false;
  some_run_ = some_run_ || seen.some_run;
  ranks_.insert(ranks_.end(), seen.ranks.begin(), seen.ranks.end());
  return complete_without(node);
}

bool Looks::remove(int node) { return awaited_.contains(node) && complete_without(node); }

bool Looks::complete_without(int node) {
  awaited_.erase(node);
  return awaited_.empty();
}

JobView Looks::view() const {
  if (some_run_ && !even_if_some_run_) return {};
  JobView view{.ranks = ranks_};
  std::ranges::sort(view.ranks, {}, &RankView::rank);
  return view;
}

}  // namespace antiphon::launch
