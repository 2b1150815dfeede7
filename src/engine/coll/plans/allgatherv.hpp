// MPI_Allgatherv: MPI 5.0, 6.7. Like MPI_Allgather, with blocks whose lengths all receivers know. On an
// intercommunicator no rank knows the lengths of its own group's blocks.
#pragma once

#include <optional>

#include "engine/coll/algorithms/allgather/bruck.hpp"
#include "engine/coll/algorithms/allgather/hierarchical.hpp"
#include "engine/coll/algorithms/allgather/ring.hpp"
#include "engine/coll/algorithms/allgather/spread.hpp"
#include "engine/coll/choice.hpp"
#include "engine/coll/plans/bcast.hpp"

namespace antiphon::coll {

namespace allgatherv {
// This rank's block is in place.
template <Sink S>
void within(S& sink, const CommView& comm, const BlockList& all, const Choice& choice) {
  using Algorithm = settings::AllgathervAlgorithm;
  std::size_t bytes = 0;
  for (int rank = 0; rank < comm.size; ++rank) bytes += all[rank].bytes;
  switch (
      choice.among(&settings::Values::allgatherv_algorithm, {.operation = Operation::allgatherv,
                                                             .ranks = comm.size,
                                                             .bytes = bytes / static_cast<std::size_t>(comm.size)})) {
    case Algorithm::bruck:
      return allgather::bruck(sink, comm, all);
    case Algorithm::spread:
      return allgather::spread(sink, comm, all);
    case Algorithm::hierarchical:
      if constexpr (!kIsPart<S>) return allgather::hierarchical(sink, comm, all, choice);
      [[fallthrough]];
    case Algorithm::ring:
    case Algorithm::automatic:
      return allgather::ring(sink, comm, all);
  }
}

// Every rank sends to rank 0 of the other group, which broadcasts all blocks in its own.
template <Sink S>
void between(S& sink, const View& view, const Region& mine, const BlockList& all, const Choice& choice) {
  const PackedBlocks packed = packed_like(sink, all);
  if (view.rank == 0)
    for (int peer = 0; peer < view.others; ++peer) sink.receive(packed.each[peer], across(peer));
  sink.send(mine, across(0));
  sink.fence();
  bcast::within(sink, view, packed.whole, 0, choice);
  copy_each(sink, packed.each, all);
}
}  // namespace allgatherv

template <Sink S>
void plan_allgatherv(S& sink, const std::optional<Region>& mine, const BlockList& all, const Choice& choice = {}) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]]
    return allgatherv::between(sink, view, *mine, all, choice.of_any_length());
  if (mine) sink.copy(*mine, all[view.rank]);
  allgatherv::within(sink, view, all, choice);
}

}  // namespace antiphon::coll
