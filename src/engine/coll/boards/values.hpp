// What ranks have brought in lines, to be combined by one of them: in the order in which the plans do so with
// messages, so that the bits are the same.
#pragma once

#include <array>
#include <cstring>

#include "base/copy.hpp"
#include "engine/coll/boards/board_memory.hpp"
#include "engine/coll/core.hpp"
#include "engine/coll/reduction.hpp"

namespace antiphon::coll {

class Values {
 public:
  // Of so many elements, and this reduction.
  explicit Values(const Vector& like) : like_(like) {}

  void take(int rank, const std::byte* line) { std::memcpy(at(rank), line, BoardLine::kBytes); }
  void take(int rank, const Vector& vector) { base::copy_bytes(at(rank), vector.first(), vector.region().bytes); }
  void take_all(const Lines& lines, int end) {
    for (int rank = 0; rank < end; ++rank) take(rank, lines.of(rank));
  }
  // From element `first` on.
  void give(int rank, const Vector& to, std::size_t first = 0) {
    const std::byte* const from = at(rank) + first * static_cast<std::size_t>(to.reduction().extent());
    base::copy_bytes(to.first(), from, to.region().bytes);
  }

  // As up the tree of allreduce::recursive_doubling: rank 0's becomes the result.
  void combine_all(int ranks) {
    const Core core({0, ranks});
    for (int rank = 0; rank < 2 * (ranks - core.size()); rank += 2) into_left(rank, rank + 1);
    for (int distance = 1; distance < core.size(); distance *= 2)
      for (int place = 0; place < core.size(); place += 2 * distance)
        into_left(core.rank_at(place), core.rank_at(place + distance));
  }
  // As up the tree of reduce::binomial: the root's does.
  void combine_to(int root, int ranks) {
    const CommView view{root, ranks};
    for (int distance = 1; distance < ranks; distance *= 2)
      for (int head = 0; head + distance < ranks; head += 2 * distance) {
        const int parent = view.absolute(head, root), child = view.absolute(head + distance, root);
        if (parent < child)
          into_left(parent, child);
        else
          into_right(child, parent);
      }
  }
  // As scan::doubling does on the last of these ranks, whose becomes the result.
  void combine_until(int last) {
    for (int distance = 1; distance <= last; distance *= 2)
      for (int rank = last; rank >= distance; rank -= 2 * distance) into_right(rank - distance, rank);
  }

 private:
  struct alignas(base::kCacheLine) Value {
    std::byte bytes[base::kCacheLine];
  };
  [[nodiscard]] std::byte* at(int rank) { return values_[static_cast<std::size_t>(rank)].bytes; }
  // left := left op right, and right := left op right.
  void into_left(int left, int right) { combine(left, right, Reduction::Into::left); }
  void into_right(int left, int right) { combine(left, right, Reduction::Into::right); }
  void combine(int left, int right, Reduction::Into into) {
    like_.reduction()(at(left), at(right), like_.elements(), into);
  }

  const Vector& like_;
  std::array<Value, BoardMemory::kMostRanks> values_;  // only those that were taken say something
};

}  // namespace antiphon::coll
