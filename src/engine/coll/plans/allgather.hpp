// MPI_Allgather: MPI 5.0, 6.7. `all` has a block for each rank. Without `mine`, this rank's block is in place. On an
// intercommunicator `all` is for the blocks of the other group, which may have another length.
#pragma once

#include "engine/coll/algorithms/allgather/bruck.hpp"
#include "engine/coll/algorithms/allgather/hierarchical.hpp"
#include "engine/coll/algorithms/allgather/recursive_doubling.hpp"
#include "engine/coll/algorithms/allgather/ring.hpp"
#include "engine/coll/algorithms/allgather/spread.hpp"
#include "engine/coll/choice.hpp"
#include "engine/coll/plans/allgatherv.hpp"
#include "engine/coll/plans/bcast.hpp"
#include "engine/coll/plans/gather.hpp"

namespace antiphon::coll {

namespace allgather {
using Algorithm = settings::AllgatherAlgorithm;

template <Sink S>
void by(Algorithm algorithm, S& sink, const CommView& comm, const Region& all, const Choice& choice) {
  switch (algorithm) {
    case Algorithm::ring:
      return ring(sink, comm, all);
    case Algorithm::recursive_doubling:
      return recursive_doubling(sink, comm, all);
    case Algorithm::gather_bcast:
      gather::knomial(sink, comm, all.block(comm.rank, comm.size), all, 0, 1);
      return bcast::within(sink, comm, all, 0, choice);
    case Algorithm::spread:
      return spread(sink, comm, all);
    case Algorithm::hierarchical:
      return hierarchical(sink, comm, all, choice);
    case Algorithm::bruck:
    case Algorithm::automatic:
      return bruck(sink, comm, all);
  }
}

// Each group gathers at its rank 0; these exchange the results, and broadcast what they got.
template <Sink S>
void between(S& sink, const View& view, const Region& mine, const Region& all, const Choice& choice) {
  const bool leads = view.rank == 0;
  const Region ours = leads ? scratch_region(sink, mine.bytes * static_cast<std::size_t>(view.size)) : Region{};
  if (leads) sink.copy(mine, ours.block(0, view.size));
  gather::within(sink, view, mine, ours, 0, choice);
  if (leads) {
    sink.receive(all, across(0));
    sink.send(ours, across(0));
    sink.fence();
  }
  bcast::within(sink, view, all, 0, choice);
}
}  // namespace allgather

template <Sink S>
void plan_allgather(S& sink, const std::optional<Region>& mine, const Region& all, const Choice& choice = {}) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]]
    return allgather::between(sink, view, *mine, all, choice.of_any_length());
  const Region mine_of_all = all.block(view.rank, view.size);
  if (mine) sink.copy(*mine, mine_of_all);
  const Case what{.operation = Operation::allgather,
                  .ranks = view.size,
                  .bytes = all.bytes / static_cast<std::size_t>(view.size)};
  const allgather::Algorithm algorithm = choice.among(&settings::Values::allgather_algorithm, what);
  // Most algorithms pass on what they received, and for that need contiguous memory. These two do not.
  if (all.in_one_piece() || algorithm == allgather::Algorithm::bruck || algorithm == allgather::Algorithm::spread)
    return allgather::by(algorithm, sink, view, all, choice);
  const Region whole = staged(sink, all);
  restage(sink, mine_of_all, whole.block(view.rank, view.size));
  allgather::by(algorithm, sink, view, whole, choice);
  restage(sink, whole, all);
}

}  // namespace antiphon::coll
