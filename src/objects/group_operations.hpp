// What MPI 5.0, 7.3 computes from groups: sets, selections, comparison, translation. Each takes time proportional to
// the groups involved at most, and less where they are single runs. Arguments have been checked by the caller.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "objects/group.hpp"

namespace antiphon::objects {

// Answers "which rank is this process?" in O(1): by arithmetic for groups of few runs, through a hash for others.
// Lives no longer than its group.
class RankIndex {
 public:
  explicit RankIndex(const Group& group);
  // -1 for a process that is not in the group.
  [[nodiscard]] int rank_of(int world_rank) const {
    return slots_.empty() ? group_.rank_of(world_rank) : find(world_rank);
  }
  [[nodiscard]] bool contains(int world_rank) const { return rank_of(world_rank) >= 0; }

 private:
  struct Slot {
    int world_rank = -1;
    int rank = -1;
  };
  [[nodiscard]] int find(int world_rank) const;
  [[nodiscard]] std::size_t home(int world_rank) const {
    const std::uint32_t mixed = static_cast<std::uint32_t>(world_rank) * 0x9e3779b1u;
    return mixed & (slots_.size() - 1);
  }

  const Group& group_;
  std::vector<Slot> slots_;  // open addressing, at most half full
};

[[nodiscard]] Ref<Group> group_union(const Group& first, const Group& second);
[[nodiscard]] Ref<Group> group_intersection(const Group& first, const Group& second);
[[nodiscard]] Ref<Group> group_difference(const Group& first, const Group& second);

// The ranks first, first + stride, ... of a group, `count` of them.
struct RankRange {
  int first;
  int count;
  int stride;
  [[nodiscard]] int at(int index) const { return first + index * stride; }
};
// The processes of these distinct ranks, in this order.
[[nodiscard]] Ref<Group> group_include(const Group& group, std::span<const int> ranks);
[[nodiscard]] Ref<Group> group_include(const Group& group, std::span<const RankRange> ranges);
// Those whose rank is not marked, in the group's order.
[[nodiscard]] Ref<Group> group_exclude(const Group& group, const std::vector<bool>& marked);

enum class Likeness { identical, similar, unequal };
[[nodiscard]] Likeness group_compare(const Group& first, const Group& second);

// ranks_in_to[i] is the rank in `to` of the process with rank ranks_in_from[i] in `from`: abi::UNDEFINED where it has
// none, abi::PROC_NULL for abi::PROC_NULL.
void group_translate(const Group& from, std::span<const int> ranks_in_from, const Group& to,
                     std::span<int> ranks_in_to);

}  // namespace antiphon::objects
