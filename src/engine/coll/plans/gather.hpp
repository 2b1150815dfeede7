// MPI_Gather and MPI_Gatherv: MPI 5.0, 6.5. `root` is as in plan_bcast(). `all` has a block for each sending rank,
// and is used on the root only. Without `mine`, the root's own block is in place.
#pragma once

#include <optional>

#include "abi/constants.hpp"
#include "engine/coll/algorithms/gather/hierarchical.hpp"
#include "engine/coll/algorithms/gather/knomial.hpp"
#include "engine/coll/algorithms/gather/linear.hpp"
#include "engine/coll/choice.hpp"

namespace antiphon::coll {

namespace gather {
// The root's own block is in place.
template <Sink S>
void within(S& sink, const CommView& comm, const Region& mine, const Region& all, int root, const Choice& choice) {
  using Algorithm = settings::GatherAlgorithm;
  const std::size_t bytes = comm.rank == root ? all.bytes / static_cast<std::size_t>(comm.size) : mine.bytes;
  switch (choice.among(&settings::Values::gather_algorithm,
                       {.operation = Operation::gather, .ranks = comm.size, .bytes = bytes})) {
    case Algorithm::binomial:
      return knomial(sink, comm, mine, all, root, 1);
    case Algorithm::knomial:
      return knomial(sink, comm, mine, all, root, choice.radix_bits());
    case Algorithm::hierarchical:
      if constexpr (!kIsPart<S>) return hierarchical(sink, comm, mine, all, root, choice);
      [[fallthrough]];
    case Algorithm::linear:
    case Algorithm::automatic:
      return linear(sink, comm, mine, all, root);
  }
}
// Only the root knows the lengths of all blocks.
template <Sink S>
void within(S& sink, const CommView& comm, const Region& mine, const BlockList& all, int root, const Choice&) {
  linear(sink, comm, mine, all, root);
}
}  // namespace gather

template <Sink S, Blocks B>
void plan_gather(S& sink, const std::optional<Region>& mine, const B& all, int root, const Choice& choice = {}) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]] {
    if (root == abi::ROOT)
      for (int peer = 0; peer < view.others; ++peer) sink.receive(all.block(peer, view.others), across(peer));
    else
      sink.send(*mine, across(root));
    return sink.fence();
  }
  if (view.rank == root && mine) sink.copy(*mine, all.block(root, view.size));
  gather::within(sink, view, mine.value_or(Region{}), all, root, choice);
}

}  // namespace antiphon::coll
