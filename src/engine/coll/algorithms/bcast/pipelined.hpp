// Broadcast of long messages in chunks that follow one another down a tree, so that a rank receives one chunk while
// it sends the one before. In a chain a rank sends each byte once, and the last rank gets its first chunk after n-1
// chunk times; in a binary tree a rank sends each byte twice, and it is after about 2 log2 n. `buffer` is contiguous.
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
