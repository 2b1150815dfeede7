// Reduction of long vectors in chunks that follow one another along a chain to the root. A rank combines one chunk
// while it receives the next. In rank order if the root is rank 0; otherwise the operation must commute.
#pragma once

#include <array>

#include "engine/coll/algorithms/reduce/sum.hpp"
#include "engine/coll/cut.hpp"
#include "engine/coll/tree.hpp"

namespace antiphon::coll::reduce {

template <Sink S>
void chain(S& sink, const CommView& comm, const Terms& terms, int root, std::size_t chunk_bytes) {
  const ShallowTree tree(comm, root, 1);
  const std::size_t elements = terms.mine.elements();
  const int chunks = static_cast<int>(std::clamp<std::size_t>(
      elements, 1, static_cast<std::size_t>(parts_of(terms.mine.region().bytes, chunk_bytes))));
  const auto chunk_of = [&](const Vector& whole, int i) { return CutVector{whole}.part(i, i + 1, chunks); };
  if (tree.number_of_children() == 0) {
    if (tree.is_root()) sink.copy(terms.mine.region(), terms.result.region());
    for (int i = 0; i < chunks && !tree.is_root(); ++i) sink.send(chunk_of(terms.mine, i).region(), tree.parent());
    return sink.fence();
  }
  const bool receives_in_result = tree.is_root() && !terms.in_place();
  std::array<Vector, 2> rooms{terms.result, terms.result};  // for the arriving chunk, and for the leaving one
  if (!receives_in_result)
    for (Vector& room : rooms) room = scratch_like(sink, terms.mine, elements / static_cast<std::size_t>(chunks) + 1);
  const auto room_of = [&](int i) {
    if (receives_in_result) return chunk_of(terms.result, i);
    return rooms[static_cast<std::size_t>(i % 2)].part(0, chunk_of(terms.mine, i).elements());
  };
  std::array<Token, 2> arrives{sink.receive(room_of(0).region(), tree.child(0))}, leaves{};
  for (int i = 0; i < chunks; ++i) {
    const auto now = static_cast<std::size_t>(i % 2), next = 1 - now;
    if (i + 1 < chunks) {
      if (i > 0 && !tree.is_root()) sink.await(leaves[next]);
      arrives[next] = sink.receive(room_of(i + 1).region(), tree.child(0));
    }
    sink.await(arrives[now]);
    const Vector mine = chunk_of(terms.mine, i), come = room_of(i);
    if (tree.is_root() && terms.in_place())
      combine(sink, come, tree.child(0), mine, comm.rank);
    else
      combine_into_incoming(sink, come, tree.child(0), mine, comm.rank);
    if (!tree.is_root()) leaves[now] = sink.send(come.region(), tree.parent());
  }
  sink.fence();
}

}  // namespace antiphon::coll::reduce
