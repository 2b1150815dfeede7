// MPI_Scan and MPI_Exscan: MPI 5.0, 6.11. Without `mine`, this rank's contribution is in `result`. Intracommunicators
// only.
#pragma once

#include <optional>

#include "engine/coll/algorithms/scan/doubling.hpp"
#include "engine/coll/algorithms/scan/linear.hpp"
#include "engine/coll/choice.hpp"

namespace antiphon::coll {

namespace scan {
// Scans the ranks from `first` on. `result` has this rank's contribution.
template <Sink S>
void from(int first, S& sink, const CommView& comm, const Vector& result, const Choice& choice) {
  using Algorithm = settings::ScanAlgorithm;
  switch (choice.among(&settings::Values::scan_algorithm, {.operation = Operation::scan,
                                                           .ranks = comm.size,
                                                           .bytes = result.region().bytes,
                                                           .commutes = result.reduction().commutes()})) {
    case Algorithm::linear:
      return linear(sink, comm, result, first);
    case Algorithm::doubling:
    case Algorithm::automatic:
      return doubling(sink, comm, result, first);
  }
}
}  // namespace scan

template <Sink S>
void plan_scan(S& sink, const std::optional<Vector>& mine, const Vector& result, const Choice& choice = {}) {
  if (mine) sink.copy(mine->region(), result.region());
  scan::from(0, sink, sink.view(), result, choice);
}

// Each rank sends its contribution to the next rank, and these are scanned. On rank 0 `result` is not changed.
template <Sink S>
void plan_exscan(S& sink, const std::optional<Vector>& mine, const Vector& result, const Choice& choice = {}) {
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
  scan::from(1, sink, view, result, choice);
}

}  // namespace antiphon::coll
