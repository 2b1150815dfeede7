// Reduction up a binomial tree, in rank order if the root is rank 0, else for operations that commute. `result` holds
// this rank's contribution at first and, on the root, the reduction at last; on other ranks it is used up.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::reduce {

template <Sink S>
void binomial(S& sink, const CommView& comm, const Vector& result, int root) {
  const CommView tree = comm.rooted_at(root);
  const bool is_leaf = tree.rank % 2 != 0 || tree.size == 1;
  const Vector incoming = is_leaf ? result : scratch_like(sink, result, result.elements());
  for (int distance = 1; distance < tree.size; distance *= 2) {
    if ((tree.rank & distance) != 0) {
      sink.send(result.region(), comm.absolute(tree.rank - distance, root));
      return sink.fence();
    }
    if (tree.rank + distance < tree.size) {
      const int child = comm.absolute(tree.rank + distance, root);
      sink.receive(incoming.region(), child);
      sink.fence();
      combine(sink, incoming, child, result, comm.rank);
    }
  }
}

}  // namespace antiphon::coll::reduce
