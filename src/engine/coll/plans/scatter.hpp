// MPI_Scatter and MPI_Scatterv: MPI 5.0, 6.6. `root` is as in plan_bcast(). `all` has a block for each receiving
// rank, and is used on the root only. Without `mine`, the root's own block stays where it is.
#pragma once

#include <optional>

#include "abi/constants.hpp"
#include "engine/coll/algorithms/scatter/hierarchical.hpp"
#include "engine/coll/algorithms/scatter/knomial.hpp"
#include "engine/coll/algorithms/scatter/linear.hpp"
#include "engine/coll/choice.hpp"

namespace antiphon::coll {

namespace scatter {
// The root's own block is not moved.
template <Sink S>
void within(S& sink, const CommView& comm, const Region& all, const Region& mine, int root, const Choice& choice) {
  using Algorithm = settings::ScatterAlgorithm;
  const std::size_t bytes = comm.rank == root ? all.bytes / static_cast<std::size_t>(comm.size) : mine.bytes;
  switch (choice.among(&settings::Values::scatter_algorithm,
                       {.operation = Operation::scatter, .ranks = comm.size, .bytes = bytes})) {
    case Algorithm::binomial:
      return knomial(sink, comm, all, mine, root, 1);
    case Algorithm::knomial:
      return knomial(sink, comm, all, mine, root, choice.radix_bits());
    case Algorithm::hierarchical:
      if constexpr (!kIsPart<S>) return hierarchical(sink, comm, all, mine, root, choice);
      [[fallthrough]];
    case Algorithm::linear:
    case Algorithm::automatic:
      return linear(sink, comm, all, mine, root);
  }
}
// Only the root knows the lengths of all blocks.
template <Sink S>
void within(S& sink, const CommView& comm, const BlockList& all, const Region& mine, int root, const Choice&) {
  linear(sink, comm, all, mine, root);
}
}  // namespace scatter

template <Sink S, Blocks B>
void plan_scatter(S& sink, const B& all, const std::optional<Region>& mine, int root, const Choice& choice = {}) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]] {
    if (root == abi::ROOT)
      for (int peer = 0; peer < view.others; ++peer) sink.send(all.block(peer, view.others), across(peer));
    else
      sink.receive(*mine, across(root));
    return sink.fence();
  }
  if (view.rank == root && mine) sink.copy(all.block(root, view.size), *mine);
  scatter::within(sink, view, all, mine.value_or(Region{}), root, choice);
}

}  // namespace antiphon::coll
