// The orders in which the values of all ranks are combined on boards. They are those of the algorithms with messages,
// so that the bits are the same. combine(left, right, into) combines the values of two ranks. All operations that
// are combined here are predefined, and commute.
#pragma once

#include "engine/coll/core.hpp"
#include "engine/coll/reduction.hpp"

namespace antiphon::coll {

// The order of allreduce::recursive_doubling. The result is in the value of rank 0.
template <class Combine>
void combine_all(int ranks, Combine&& combine) {
  const Core core({0, ranks});
  for (int rank = 0; rank < 2 * (ranks - core.size()); rank += 2) combine(rank, rank + 1, Reduction::Into::left);
  for (int distance = 1; distance < core.size(); distance *= 2)
    for (int place = 0; place < core.size(); place += 2 * distance)
      combine(core.rank_at(place), core.rank_at(place + distance), Reduction::Into::left);
}

// The order of reduce::binomial. The result is in the value of the root.
template <class Combine>
void combine_to(int root, int ranks, Combine&& combine) {
  const CommView view{root, ranks};
  for (int distance = 1; distance < ranks; distance *= 2)
    for (int head = 0; head + distance < ranks; head += 2 * distance) {
      const int parent = view.absolute(head, root), child = view.absolute(head + distance, root);
      if (parent < child)
        combine(parent, child, Reduction::Into::left);
      else
        combine(child, parent, Reduction::Into::right);
    }
}

// The order in which scan::doubling computes the result of rank `last`. The result is in its value.
template <class Combine>
void combine_until(int last, Combine&& combine) {
  for (int distance = 1; distance <= last; distance *= 2)
    for (int rank = last; rank >= distance; rank -= 2 * distance)
      combine(rank - distance, rank, Reduction::Into::right);
}

}  // namespace antiphon::coll
