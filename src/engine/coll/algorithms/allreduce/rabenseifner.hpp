// Allreduce of long vectors in 2 log2 n exchanges, in which each byte is sent about twice: every rank reduces a
// slice, and then all ranks get all slices. Operands are combined in rank order. All ranks get the same bits, because
// each slice is reduced on one rank. At first `result` holds this rank's contribution.
#pragma once

#include "engine/coll/algorithms/halving.hpp"
#include "engine/coll/cut.hpp"

namespace antiphon::coll::allreduce {

template <Sink S>
void rabenseifner(S& sink, const CommView& comm, const Vector& result) {
  const Core core(comm);
  if (core.stays_out()) return core.leave_to_pair(sink, result.region(), result.region());
  const std::size_t elements = result.elements();
  const Vector incoming = scratch_like(sink, result, core.paired() ? elements : elements / 2 + 1);
  core.take_in_pair(sink, result, incoming);
  const auto slices = [&](int first, int last) { return CutVector{result}.part(first, last, core.size()); };
  const int low = halve(sink, core, MeetFirst::neighbours, slices, incoming);
  unite(sink, core, slices, low);
  core.hand_to_pair(sink, result.region());
}

}  // namespace antiphon::coll::allreduce
