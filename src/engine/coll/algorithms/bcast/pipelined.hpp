// Broadcast of chunks that follow each other down a tree, so that everybody receives one while he sends the last on:
// long messages. In a chain each byte is sent once by each rank, and the last rank waits for n-1 chunks; in a binary
// tree twice, and for about 2 log2 n of them. `buffer` is in one piece.
#pragma once

#include <vector>

#include "engine/coll/cut.hpp"
#include "engine/coll/tree.hpp"

namespace antiphon::coll::bcast {

template <Sink S>
void pipelined(S& sink, const ShallowTree& tree, const Region& buffer, std::size_t chunk_bytes) {
  const CutRegion cut{buffer};
  const int chunks = parts_of(buffer.bytes, chunk_bytes);
  std::vector<Token> arrivals;
  if (!tree.is_root()) {
    arrivals.reserve(static_cast<std::size_t>(chunks));
    for (int chunk = 0; chunk < chunks; ++chunk)
      arrivals.push_back(sink.receive(cut.block(chunk, chunks), tree.parent()));
  }
  for (int chunk = 0; chunk < chunks; ++chunk) {
    if (!tree.is_root()) sink.await(arrivals[static_cast<std::size_t>(chunk)]);
    for (int i = 0; i < tree.number_of_children(); ++i) sink.send(cut.block(chunk, chunks), tree.child(i));
  }
  sink.fence();
}

}  // namespace antiphon::coll::bcast
