// MPI_Bcast: MPI 5.0, 6.4. `root` is a rank of this group; between two groups, one of the other's, or abi::ROOT for
// the root itself. The rest of its group does not call.
#pragma once

#include "abi/constants.hpp"
#include "engine/coll/algorithms/bcast/binomial.hpp"

namespace antiphon::coll {

namespace bcast {
// Those who pass it on several times do so from one piece.
template <Sink S>
void within(S& sink, const CommView& comm, const Region& buffer, int root) {
  if (buffer.in_one_piece() || comm.size <= 2) return binomial(sink, comm, buffer, root);
  const Region packed = staged(sink, buffer);
  if (comm.rank == root) sink.copy(buffer, packed);
  binomial(sink, comm, packed, root);
  if (comm.rank != root) sink.copy(packed, buffer);
}
}  // namespace bcast

template <Sink S>
void plan_bcast(S& sink, const Region& buffer, int root) {
  const View view = sink.view();
  if (!view.is_inter()) [[likely]]
    return bcast::within(sink, view, buffer, root);
  if (root == abi::ROOT) {
    sink.send(buffer, across(0));
    return sink.fence();
  }
  if (view.rank == 0) {
    sink.receive(buffer, across(root));
    sink.fence();
  }
  bcast::within(sink, view, buffer, 0);
}

}  // namespace antiphon::coll
