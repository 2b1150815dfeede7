// How each operation uses a board: which ranks write, which read, and among how many ranks pages are used. Used to
// carry out operations, and by a rank that takes part in one without data.
#pragma once

#include <climits>

#include "engine/coll/operation.hpp"

namespace antiphon::coll {

struct BoardUse {
  enum class Flow : std::uint8_t { nowhere, from_all_to_all, upwards, from_root, to_root };

  static constexpr int kEverybody = -1;

  Flow flow = Flow::nowhere;
  bool combines = false;       // is a reduction
  bool shares_out = false;     // each rank gets its share of the result
  bool part_for_each = false;  // a writer's data has a part for each rank, so bytes are those of all parts
  int most_with_pages = 0;     // of ranks that use pages

  [[nodiscard]] constexpr bool writes(int rank, int root) const {
    if (flow == Flow::from_root) return rank == root;
    return flow != Flow::to_root || rank != root;
  }
  // Whether all ranks need all that is written.
  [[nodiscard]] constexpr bool is_for_all() const {
    return (flow == Flow::from_root || flow == Flow::from_all_to_all) && !part_for_each && !combines;
  }
  // Whether the root combines the data of all.
  [[nodiscard]] constexpr bool root_combines() const { return combines && flow == Flow::to_root; }
  // Who reads what is written: the root, or all.
  [[nodiscard]] constexpr int reader(int root) const { return flow == Flow::to_root ? root : kEverybody; }
};

constexpr BoardUse board_use(Operation operation) {
  using enum Operation;
  using enum BoardUse::Flow;
  constexpr int kAnyRanks = INT_MAX;
  switch (operation) {
    case barrier:
      return {.flow = from_all_to_all};
    case bcast:
      return {.flow = from_root, .most_with_pages = kAnyRanks};
    case reduce:
      return {.flow = to_root, .combines = true, .most_with_pages = kAnyRanks};
    case allreduce:
      return {.flow = from_all_to_all, .combines = true, .most_with_pages = kAnyRanks};
    case gather:
      return {.flow = to_root, .most_with_pages = kAnyRanks};
    case scatter:
      return {.flow = from_root, .part_for_each = true, .most_with_pages = kAnyRanks};
    case allgather:
      return {.flow = from_all_to_all, .most_with_pages = kAnyRanks};
    case alltoall:
      return {.flow = from_all_to_all, .part_for_each = true, .most_with_pages = kAnyRanks};
    case scan:
    case exscan:
      return {.flow = upwards, .combines = true, .most_with_pages = 2};
    case reduce_scatter:
      return {.flow = from_all_to_all, .combines = true, .shares_out = true, .most_with_pages = kAnyRanks};
    case allgatherv:
    case alltoallv:
    case none:
      break;
  }
  return {};
}

}  // namespace antiphon::coll
