// MPI_Allreduce: MPI 5.0, 6.9.6. Without `mine` the contribution is in `result`. Between two groups each gets what
// the other contributes.
#pragma once

#include "engine/coll/algorithms/allreduce/recursive_doubling.hpp"
#include "engine/coll/algorithms/allreduce/ring.hpp"
#include "engine/coll/plans/bcast.hpp"
#include "engine/coll/plans/reduce.hpp"
#include "settings/values.hpp"

namespace antiphon::coll {

namespace allreduce {
// By default the ring is for what is so long that bandwidth matters more than rounds.
inline bool goes_around(const Vector& vector, int size, const settings::Values& settings) {
  using Algorithm = settings::AllreduceAlgorithm;
  const Algorithm wanted = settings.allreduce_algorithm;
  const bool is_wanted =
      wanted == Algorithm::automatic ? vector.region().bytes >= settings.allreduce_long : wanted == Algorithm::ring;
  return is_wanted && vector.elements() >= static_cast<std::size_t>(size) && vector.reduction().commutes();
}
}  // namespace allreduce

template <Sink S>
void plan_allreduce(S& sink, const std::optional<Vector>& mine, const Vector& result,
                    const settings::Values& settings = {}) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]] {
    const Vector ours = reduce::within(sink, view, *mine);
    if (view.rank == 0) {
      sink.receive(result.region(), across(0));
      sink.send(ours.region(), across(0));
      sink.fence();
    }
    return bcast::within(sink, view, result.region(), 0);
  }
  if (mine) sink.copy(mine->region(), result.region());
  if (allreduce::goes_around(result, view.size, settings)) [[unlikely]]
    return allreduce::ring(sink, view, result);
  allreduce::recursive_doubling(sink, view, result);
}

}  // namespace antiphon::coll
