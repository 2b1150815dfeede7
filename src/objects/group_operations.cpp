#include "objects/group_operations.hpp"

#include <bit>

#include "abi/constants.hpp"

namespace antiphon::objects {

namespace {

constexpr std::size_t kFewRuns = 8;  // up to here asking each run is as fast as a hash, and needs no memory

template <class Wanted>
Ref<Group> members_that(const Group& group, Wanted&& wanted) {
  GroupBuilder builder;
  for (int rank = 0; rank < group.size(); ++rank)
    if (const int process = group.world_rank(rank); wanted(process)) builder.add(process);
  return builder.build_from(group);
}

bool same_sequence(const Group& first, const Group& second) {
  for (int rank = 0; rank < first.size(); ++rank)
    if (first.world_rank(rank) != second.world_rank(rank)) return false;
  return true;
}

}  // namespace

RankIndex::RankIndex(const Group& group) : group_(group) {
  if (group.size() == 0 || (!group.runs().empty() && group.runs().size() <= kFewRuns)) return;
  slots_.resize(std::bit_ceil(2 * static_cast<std::size_t>(group.size())));
  for (int rank = 0; rank < group.size(); ++rank) {
    const int process = group.world_rank(rank);
    std::size_t at = home(process);
    while (slots_[at].rank >= 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {process, rank};
  }
}

int RankIndex::find(int world_rank) const {
  std::size_t at = home(world_rank);
  while (slots_[at].rank >= 0 && slots_[at].world_rank != world_rank) at = (at + 1) & (slots_.size() - 1);
  return slots_[at].rank;
}

Ref<Group> group_union(const Group& first, const Group& second) {
  const RankIndex in_first(first);
  GroupBuilder builder;
  builder.add_all(first);
  for (int rank = 0; rank < second.size(); ++rank)
    if (const int process = second.world_rank(rank); !in_first.contains(process)) builder.add(process);
  return builder.build_from(first.session() == 0 ? second : first);
}

Ref<Group> group_intersection(const Group& first, const Group& second) {
  const RankIndex in_second(second);
  return members_that(first, [&](int process) { return in_second.contains(process); });
}

Ref<Group> group_difference(const Group& first, const Group& second) {
  const RankIndex in_second(second);
  return members_that(first, [&](int process) { return !in_second.contains(process); });
}

Ref<Group> group_include(const Group& group, std::span<const int> ranks) {
  GroupBuilder builder;
  for (const int rank : ranks) builder.add(group.world_rank(rank));
  return builder.build_from(group);
}

Ref<Group> group_include(const Group& group, std::span<const RankRange> ranges) {
  GroupBuilder builder;
  for (const RankRange& range : ranges) {
    if (group.runs().size() == 1) {
      const Group::Run& all = group.runs().front();
      builder.add_run(all.at(range.first), range.count, all.stride * range.stride);
    } else {
      for (int i = 0; i < range.count; ++i) builder.add(group.world_rank(range.at(i)));
    }
  }
  return builder.build_from(group);
}

Ref<Group> group_exclude(const Group& group, const std::vector<bool>& marked) {
  GroupBuilder builder;
  for (int rank = 0; rank < group.size(); ++rank)
    if (!marked[static_cast<std::size_t>(rank)]) builder.add(group.world_rank(rank));
  return builder.build_from(group);
}

Likeness group_compare(const Group& first, const Group& second) {
  if (&first == &second) return Likeness::identical;
  if (first.size() != second.size()) return Likeness::unequal;
  if (same_sequence(first, second)) return Likeness::identical;
  const RankIndex in_second(second);
  for (int rank = 0; rank < first.size(); ++rank)
    if (!in_second.contains(first.world_rank(rank))) return Likeness::unequal;
  return Likeness::similar;
}

void group_translate(const Group& from, std::span<const int> ranks_in_from, const Group& to,
                     std::span<int> ranks_in_to) {
  const auto translate = [&](const auto& index) {
    for (std::size_t i = 0; i < ranks_in_from.size(); ++i) {
      const int rank = ranks_in_from[i];
      const int found = rank == abi::PROC_NULL ? abi::PROC_NULL : index.rank_of(from.world_rank(rank));
      ranks_in_to[i] = rank != abi::PROC_NULL && found < 0 ? abi::UNDEFINED : found;
    }
  };
  // For a single question a walk is cheaper than an index.
  if (ranks_in_from.size() == 1)
    translate(to);
  else
    translate(RankIndex(to));
}

}  // namespace antiphon::objects
