// Reduction up a binomial tree, for commutative operations. `result` holds this rank's contribution at first and, on
// the root, the reduction at last; on other ranks it is used up.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::reduce {

template <Sink S>
void binomial(S& sink, const CommView& comm, std::byte* result, std::size_t bytes, int root) {
  const CommView tree = comm.rooted_at(root);
  std::byte* incoming = sink.scratch(bytes);
  for (int distance = 1; distance < tree.size; distance *= 2) {
    if ((tree.rank & distance) != 0) {
      sink.send(result, bytes, comm.absolute(tree.rank - distance, root));
      sink.fence();
      return;
    }
    if (tree.rank + distance < tree.size) {
      sink.receive(incoming, bytes, comm.absolute(tree.rank + distance, root));
      sink.fence();
      sink.reduce(incoming, result, bytes);
    }
  }
}

}  // namespace antiphon::coll::reduce
