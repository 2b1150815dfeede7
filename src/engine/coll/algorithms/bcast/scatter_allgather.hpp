// Broadcast of long messages in two phases (van de Geijn): the root scatters a piece for each rank down a binomial
// tree, then the pieces go around a ring. Each rank sends and receives at most about twice the message, for any
// number of ranks. `buffer` is contiguous.
#pragma once

#include "engine/coll/algorithms/allgather/ring.hpp"
#include "engine/coll/cut.hpp"
#include "engine/coll/tree.hpp"

namespace antiphon::coll::bcast {

// The blocks of ranks. A rank's block is the piece of its place in the tree.
struct PiecesByRank {
  CutRegion cut;
  int root;
  [[nodiscard]] Region block(int rank, int all) const { return cut.block((rank - root + all) % all, all); }
};

template <Sink S>
void scatter_allgather(S& sink, const CommView& comm, const Region& buffer, int root) {
  const KnomialTree tree(comm, root);
  const CutRegion cut{buffer};
  if (!tree.is_root()) {
    sink.receive(cut.blocks(tree.place(), tree.span(), comm.size), tree.parent());
    sink.fence();
  }
  tree.each_child_down([&](const KnomialTree::Child& child) {
    sink.send(cut.blocks(child.place, child.span, comm.size), child.rank);
  });
  sink.fence();
  allgather::ring(sink, comm, PiecesByRank{cut, root});
}

}  // namespace antiphon::coll::bcast
