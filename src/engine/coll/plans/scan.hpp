// MPI_Scan and MPI_Exscan: MPI 5.0, 6.11. Without `mine` the contribution is in `result`. Within one group only.
#pragma once

#include <optional>

#include "engine/coll/algorithms/scan/doubling.hpp"

namespace antiphon::coll {

template <Sink S>
void plan_scan(S& sink, const std::optional<Vector>& mine, const Vector& result) {
  if (mine) sink.copy(mine->region(), result.region());
  scan::doubling(sink, sink.view(), result, 0);
}

// Everybody's contribution goes to the next rank, and those are scanned. On rank 0 `result` stays as it is.
template <Sink S>
void plan_exscan(S& sink, const std::optional<Vector>& mine, const Vector& result) {
  const View view = sink.view();
  const bool is_first = view.rank == 0, is_last = view.rank + 1 == view.size;
  Vector given = mine.value_or(result);
  if (!mine && !is_first && !is_last) {
    given = scratch_like(sink, result, result.elements());
    sink.copy(result.region(), given.region());
  }
  if (!is_first) sink.receive(result.region(), view.rank - 1);
  if (!is_last) sink.send(given.region(), view.rank + 1);
  sink.fence();
  scan::doubling(sink, view, result, 1);
}

}  // namespace antiphon::coll
