// MPI_Reduce: MPI 5.0, 6.9.1. `root` is as in plan_bcast(). `result` is used on the root only; without `mine`, the
// root's contribution is in it.
#pragma once

#include "abi/constants.hpp"
#include "engine/coll/algorithms/reduce/chain.hpp"
#include "engine/coll/algorithms/reduce/hierarchical.hpp"
#include "engine/coll/algorithms/reduce/knomial.hpp"
#include "engine/coll/algorithms/reduce/linear.hpp"
#include "engine/coll/algorithms/reduce/rabenseifner.hpp"
#include "engine/coll/choice.hpp"

namespace antiphon::coll {

namespace reduce {
// The root must be rank 0, or the operation commute.
template <Sink S>
void within(S& sink, const CommView& comm, const Terms& terms, int root, const Choice& choice) {
  using Algorithm = settings::ReduceAlgorithm;
  const Case what{.operation = Operation::reduce,
                  .ranks = comm.size,
                  .bytes = terms.mine.region().bytes,
                  .elements = terms.mine.elements(),
                  .commutes = terms.mine.reduction().commutes()};
  switch (choice.among(&settings::Values::reduce_algorithm, what)) {
    case Algorithm::linear:
      return linear(sink, comm, terms, root);
    case Algorithm::knomial:
      return knomial(sink, comm, terms, root, choice.radix_bits());
    case Algorithm::rabenseifner:
      return rabenseifner(sink, comm, terms, root);
    case Algorithm::chain:
      return chain(sink, comm, terms, root, choice.chunk_bytes(what, comm.size - 1));
    case Algorithm::hierarchical:
      if constexpr (!kIsPart<S>) return hierarchical(sink, comm, terms, root, choice);
      [[fallthrough]];
    case Algorithm::binomial:
    case Algorithm::automatic:
      return binomial(sink, comm, terms, root);
  }
}

// Reduces to rank 0 of this group; only there is the returned vector the result.
template <Sink S>
Vector to_first(S& sink, const CommView& comm, const Vector& mine, const Choice& choice) {
  const Vector ours = comm.rank == 0 ? scratch_like(sink, mine, mine.elements()) : mine;
  within(sink, comm, {mine, ours}, 0, choice);
  return ours;
}

// Reduces to rank 0, which sends the result to the root. So operands are combined in rank order.
template <Sink S>
void in_order(S& sink, const CommView& comm, const Terms& terms, int root, const Choice& choice) {
  const Vector ours = to_first(sink, comm, terms.mine, choice);
  if (comm.rank == 0) sink.send(ours.region(), root);
  if (comm.rank == root) sink.receive(terms.result.region(), 0);
  sink.fence();
}
}  // namespace reduce

template <Sink S>
void plan_reduce(S& sink, const std::optional<Vector>& mine, const Vector& result, int root,
                 const Choice& choice = {}) {
  const View view = sink.view();
  if (!view.is_inter()) [[likely]] {
    const reduce::Terms terms{mine.value_or(result), result};
    if (root != 0 && !result.reduction().commutes()) [[unlikely]]
      return reduce::in_order(sink, view, terms, root, choice);
    return reduce::within(sink, view, terms, root, choice);
  }
  if (root == abi::ROOT) {
    sink.receive(result.region(), across(0));
    return sink.fence();
  }
  const Vector ours = reduce::to_first(sink, view, *mine, choice.of_any_length());
  if (view.rank == 0) sink.send(ours.region(), across(root));
  sink.fence();
}

}  // namespace antiphon::coll
