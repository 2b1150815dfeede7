// Reduction of long vectors in 2 log2 n exchanges, in which each byte is sent about twice: every rank reduces a
// slice, and the root collects the slices. In rank order for any root.
#pragma once

#include "engine/coll/algorithms/halving.hpp"
#include "engine/coll/algorithms/reduce/sum.hpp"
#include "engine/coll/cut.hpp"

namespace antiphon::coll::reduce {

template <Sink S>
void rabenseifner(S& sink, const CommView& comm, const Terms& terms, int root) {
  const Core core(comm);
  const bool is_root = comm.rank == root;
  if (core.stays_out()) {
    sink.send(terms.mine.region(), comm.rank - 1);
    sink.fence();
    if (is_root) sink.receive(terms.result.region(), comm.rank - 1);
    return sink.fence();
  }
  const std::size_t elements = terms.mine.elements();
  const Vector ours = is_root ? terms.result : scratch_like(sink, terms.mine, elements);
  const Vector incoming = scratch_like(sink, terms.mine, core.paired() ? elements : elements / 2 + 1);
  sink.copy(terms.mine.region(), ours.region());
  core.take_in_pair(sink, ours, incoming);
  const auto slices = [&](int first, int last) { return CutVector{ours}.part(first, last, core.size()); };
  const int low = halve(sink, core, MeetFirst::neighbours, slices, incoming);
  unite_at(sink, core, slices, low, core.place_of(root));
  if (core.stays_out(root) && comm.rank + 1 == root) {
    sink.send(ours.region(), root);
    sink.fence();
  }
}

}  // namespace antiphon::coll::reduce
