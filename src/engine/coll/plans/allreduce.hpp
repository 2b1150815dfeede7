// MPI_Allreduce: MPI 5.0, 6.9.6. Without `mine`, this rank's contribution is in `result`. On an intercommunicator
// each group gets the result of the other group's contributions.
#pragma once

#include "engine/coll/algorithms/allreduce/hierarchical.hpp"
#include "engine/coll/algorithms/allreduce/rabenseifner.hpp"
#include "engine/coll/algorithms/allreduce/recursive_doubling.hpp"
#include "engine/coll/algorithms/allreduce/ring.hpp"
#include "engine/coll/choice.hpp"
#include "engine/coll/plans/bcast.hpp"
#include "engine/coll/plans/reduce.hpp"

namespace antiphon::coll {

namespace allreduce {
// `mine` may be the same as `result`.
template <Sink S>
void within(S& sink, const CommView& comm, const Vector& mine, const Vector& result, const Choice& choice) {
  using Algorithm = settings::AllreduceAlgorithm;
  switch (choice.among(&settings::Values::allreduce_algorithm, {.operation = Operation::allreduce,
                                                                .ranks = comm.size,
                                                                .bytes = result.region().bytes,
                                                                .elements = result.elements(),
                                                                .commutes = result.reduction().commutes()})) {
    case Algorithm::ring:
      return ring(sink, comm, mine, result);
    case Algorithm::rabenseifner:
      sink.copy(mine.region(), result.region());
      return rabenseifner(sink, comm, result);
    case Algorithm::reduce_bcast:
      reduce::binomial(sink, comm, {mine, result}, 0);
      return bcast::within(sink, comm, result.region(), 0, choice);
    case Algorithm::hierarchical:
      if constexpr (!kIsPart<S>) return hierarchical(sink, mine, result, choice);
      [[fallthrough]];
    case Algorithm::recursive_doubling:
    case Algorithm::automatic:
      sink.copy(mine.region(), result.region());
      return recursive_doubling(sink, comm, result);
  }
}

template <Sink S>
void between(S& sink, const View& view, const Vector& mine, const Vector& result, const Choice& choice) {
  const Vector ours = reduce::to_first(sink, view, mine, choice);
  if (view.rank == 0) {
    sink.receive(result.region(), across(0));
    sink.send(ours.region(), across(0));
    sink.fence();
  }
  bcast::within(sink, view, result.region(), 0, choice);
}
}  // namespace allreduce

template <Sink S>
void plan_allreduce(S& sink, const std::optional<Vector>& mine, const Vector& result, const Choice& choice = {}) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]]
    return allreduce::between(sink, view, *mine, result, choice.of_any_length());
  allreduce::within(sink, view, mine.value_or(result), result, choice);
}

}  // namespace antiphon::coll
