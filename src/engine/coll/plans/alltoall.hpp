// MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw: MPI 5.0, 6.8. A block for each rank on both sides; without `out`
// what is sent is in `in`. Between two groups the blocks are for and from the other, and may differ in length.
#pragma once

#include <optional>
#include <type_traits>

#include "engine/coll/algorithms/alltoall/spread.hpp"

namespace antiphon::coll {

template <Sink S, Blocks B>
void plan_alltoall(S& sink, const std::optional<std::type_identity_t<B>>& out, const B& in) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]]
    return alltoall::spread_across(sink, view, *out, in);
  if (out) return alltoall::spread(sink, view, *out, in);
  alltoall::spread(sink, view, packed_copy(sink, in), in);
}

}  // namespace antiphon::coll
