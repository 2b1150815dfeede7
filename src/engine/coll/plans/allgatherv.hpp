// MPI_Allgatherv: MPI 5.0, 6.7. As MPI_Allgather, with blocks whose lengths every receiver knows. Between two groups
// nobody knows those of its own group.
#pragma once

#include <optional>

#include "engine/coll/algorithms/allgather/ring.hpp"
#include "engine/coll/plans/bcast.hpp"

namespace antiphon::coll {

namespace allgatherv {
// Everybody sends to the leader of the other group, which broadcasts what it has.
template <Sink S>
void between(S& sink, const View& view, const Region& mine, const BlockList& all) {
  const PackedBlocks packed = packed_like(sink, all);
  if (view.rank == 0)
    for (int peer = 0; peer < view.others; ++peer) sink.receive(packed.each[peer], across(peer));
  sink.send(mine, across(0));
  sink.fence();
  bcast::within(sink, view, packed.whole, 0);
  copy_each(sink, packed.each, all);
}
}  // namespace allgatherv

template <Sink S>
void plan_allgatherv(S& sink, const std::optional<Region>& mine, const BlockList& all) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]]
    return allgatherv::between(sink, view, *mine, all);
  if (mine) sink.copy(*mine, all[view.rank]);
  allgather::ring(sink, view, all);
}

}  // namespace antiphon::coll
