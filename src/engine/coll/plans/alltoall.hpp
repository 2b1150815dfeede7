// MPI_Alltoall: MPI 5.0, 6.8. A block for each rank on both sides; without `out` what is sent is in `in`. Between two
// groups the blocks are for and from the other, and may differ in length.
#pragma once

#include <optional>

#include "engine/coll/algorithms/alltoall/spread.hpp"

namespace antiphon::coll {

template <Sink S>
void plan_alltoall(S& sink, const std::optional<Region>& out, const Region& in) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]]
    return alltoall::spread_across(sink, view, *out, in);
  if (out) return alltoall::spread(sink, view, *out, in);
  const Region copy = scratch_region(sink, in.bytes);
  sink.copy(in, copy);
  alltoall::spread(sink, view, copy, in);
}

}  // namespace antiphon::coll
