// Broadcast down a binomial tree: ceil(log2 n) rounds, each rank receives once. Good for short messages.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::bcast {

template <Sink S>
void binomial(S& sink, const CommView& comm, const Region& buffer, int root) {
  const CommView tree = comm.rooted_at(root);
  int reach = 1;  // the lowest set bit of my place in the tree: my children are below it
  while (reach < tree.size && (tree.rank & reach) == 0) reach *= 2;
  if (tree.rank != 0) {
    sink.receive(buffer, comm.absolute(tree.rank - reach, root));
    sink.fence();
  }
  for (int child = reach / 2; child > 0; child /= 2)
    if (tree.rank + child < tree.size) sink.send(buffer, comm.absolute(tree.rank + child, root));
  sink.fence();
}

}  // namespace antiphon::coll::bcast
