#include "objects/group.hpp"

#include <algorithm>

namespace antiphon::objects {

namespace {

std::vector<Group::Run> runs_of(const std::vector<int>& world_ranks) {
  GroupBuilder builder;
  for (const int rank : world_ranks) builder.add(rank);
  return builder.take();
}

}  // namespace

int Group::Run::index_of(int world_rank) const {
  const int distance = world_rank - start;
  if (distance % stride != 0) return -1;
  const int index = distance / stride;
  return index >= 0 && index < count ? index : -1;
}

Group::Group(const std::vector<int>& world_ranks) : Group(runs_of(world_ranks)) {}

Group::Group(std::vector<Run> runs) : runs_(std::move(runs)) {
  std::erase_if(runs_, [](const Run& run) { return run.count == 0; });
  for (Run& run : runs_) {
    run.first_rank = size_;
    size_ += run.count;
  }
  if (runs_.size() > 1 && runs_.size() * sizeof(Run) > static_cast<std::size_t>(size_) * sizeof(int)) {
    table_.reserve(static_cast<std::size_t>(size_));
    for (const Run& run : runs_)
      for (int i = 0; i < run.count; ++i) table_.push_back(run.at(i));
    runs_ = {};
  }
  runs_.shrink_to_fit();
}

int Group::find_in_runs(int rank) const {
  const auto after =
      std::ranges::upper_bound(runs_, rank, {}, [](const Run& candidate) { return candidate.first_rank; });
  const Run& run = *std::prev(after);
  return run.at(rank - run.first_rank);
}

int Group::rank_of(int world_rank) const {
  for (const Run& run : runs_)
    if (const int index = run.index_of(world_rank); index >= 0) return run.first_rank + index;
  const auto found = std::ranges::find(table_, world_rank);
  return found == table_.end() ? -1 : static_cast<int>(found - table_.begin());
}

// A run of one has no stride of its own yet: it takes that of what follows.
void GroupBuilder::add_run(int start, int count, int stride) {
  if (count == 0) return;
  if (!runs_.empty()) {
    Group::Run& last = runs_.back();
    if (last.count == 1) last.stride = start - last.start;
    if (last.at(last.count) == start && (count == 1 || stride == last.stride)) {
      last.count += count;
      return;
    }
  }
  runs_.push_back({.start = start, .count = count, .stride = stride});
}

void GroupBuilder::add_all(const Group& group) {
  for (const Group::Run& run : group.runs()) add_run(run.start, run.count, run.stride);
  if (group.runs().empty())
    for (int rank = 0; rank < group.size(); ++rank) add(group.world_rank(rank));
}

}  // namespace antiphon::objects
