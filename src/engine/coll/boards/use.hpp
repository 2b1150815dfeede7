// How each operation uses a board: who writes, who reads that, and among how many ranks it uses pages, too. For those
// who carry it out there, and for a rank that takes part in it without data.
#pragma once

#include <climits>

#include "engine/coll/operation.hpp"

namespace antiphon::coll {

struct BoardUse {
  enum class Flow : std::uint8_t { nowhere, from_all_to_all, upwards, from_root, to_root };

  static constexpr int kEverybody = -1;

  Flow flow = Flow::nowhere;
  bool combines = false;       // what ranks bring
  bool shares_out = false;     // what is combined
  bool part_for_each = false;  // of what a rank writes, so a block counts once for each rank
  int most_with_pages = 0;     // ranks

  [[nodiscard]] constexpr bool writes(int rank, int root) const {
    if (flow == Flow::from_root) return rank == root;
    return flow != Flow::to_root || rank != root;
  }
  // Whether all need all that is written.
  [[nodiscard]] constexpr bool is_for_all() const {
    return (flow == Flow::from_root || flow == Flow::from_all_to_all) && !part_for_each && !combines;
  }
  // All that others bring.
  [[nodiscard]] constexpr bool root_combines() const { return combines && flow == Flow::to_root; }
  // Of what is written.
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
