// Allgather in ceil(log2 n) exchanges: short blocks. Blocks are collected in the order in which this rank meets them,
// its own first, and put in place at the end.
#pragma once

#include <algorithm>

#include "engine/coll/sink.hpp"

namespace antiphon::coll::allgather {

template <Sink S>
void bruck(S& sink, const CommView& comm, std::byte* all, std::size_t bytes) {
  const auto blocks = [&](int count) { return static_cast<std::size_t>(count) * bytes; };
  std::byte* met = sink.scratch(blocks(comm.size));
  sink.copy(all + blocks(comm.rank), met, bytes);
  for (int have = 1; have < comm.size; have *= 2) {
    const int more = std::min(have, comm.size - have);
    sink.receive(met + blocks(have), blocks(more), comm.after(have));
    sink.send(met, blocks(more), comm.before(have));
    sink.fence();
  }
  sink.copy(met, all + blocks(comm.rank), blocks(comm.size - comm.rank));
  sink.copy(met + blocks(comm.size - comm.rank), all, blocks(comm.rank));
}

}  // namespace antiphon::coll::allgather
