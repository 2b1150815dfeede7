// MPI_Allgather: MPI 5.0, 6.7. `all` has a block for each rank. Without `mine` this rank's is in place. Between two
// groups `all` is the other's, whose blocks may be of another length.
#pragma once

#include "engine/coll/algorithms/allgather/bruck.hpp"
#include "engine/coll/algorithms/allgather/ring.hpp"
#include "engine/coll/algorithms/gather/linear.hpp"
#include "engine/coll/plans/bcast.hpp"
#include "settings/values.hpp"

namespace antiphon::coll {

namespace allgather {
// By default the ring is for blocks so long that bandwidth matters more than rounds. `bytes`: of all blocks.
inline bool goes_around(std::size_t bytes, int size, const settings::Values& settings) {
  using Algorithm = settings::AllgatherAlgorithm;
  const Algorithm wanted = settings.allgather_algorithm;
  return wanted == Algorithm::automatic ? bytes >= settings.allgather_long * static_cast<std::size_t>(size)
                                        : wanted == Algorithm::ring;
}

// Each group gathers at its leader; the leaders exchange what they have.
template <Sink S>
void between(S& sink, const View& view, const Region& mine, const Region& all) {
  const bool leads = view.rank == 0;
  const Region ours = leads ? scratch_region(sink, mine.bytes * static_cast<std::size_t>(view.size)) : Region{};
  if (leads) sink.copy(mine, ours.block(0, view.size));
  gather::linear(sink, view, mine, ours, 0);
  if (leads) {
    sink.receive(all, across(0));
    sink.send(ours, across(0));
    sink.fence();
  }
  bcast::within(sink, view, all, 0);
}
}  // namespace allgather

template <Sink S>
void plan_allgather(S& sink, const std::optional<Region>& mine, const Region& all,
                    const settings::Values& settings = {}) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]]
    return allgather::between(sink, view, *mine, all);
  if (mine) sink.copy(*mine, all.block(view.rank, view.size));
  if (!allgather::goes_around(all.bytes, view.size, settings)) return allgather::bruck(sink, view, all);
  const Region whole = staged(sink, all);
  restage(sink, all.block(view.rank, view.size), whole.block(view.rank, view.size));
  allgather::ring(sink, view, whole);
  restage(sink, whole, all);
}

}  // namespace antiphon::coll
