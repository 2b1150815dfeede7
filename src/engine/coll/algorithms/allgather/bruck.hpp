// Allgather in ceil(log2 n) exchanges: short blocks. Blocks are collected in the order in which this rank meets them,
// its own first, and put in place at the end. This rank's block is in place.
#pragma once

#include <algorithm>

#include "engine/coll/sink.hpp"

namespace antiphon::coll::allgather {

template <Sink S>
void bruck(S& sink, const CommView& comm, const Region& all) {
  const Region met = scratch_region(sink, all.bytes);
  const auto blocks_met = [&](int first, int number) { return met.blocks(first, number, comm.size); };
  const auto blocks_of_all = [&](int first, int number) { return all.blocks(first, number, comm.size); };
  sink.copy(blocks_of_all(comm.rank, 1), blocks_met(0, 1));
  for (int have = 1; have < comm.size; have *= 2) {
    const int more = std::min(have, comm.size - have);
    sink.receive(blocks_met(have, more), comm.after(have));
    sink.send(blocks_met(0, more), comm.before(have));
    sink.fence();
  }
  const int upwards = comm.size - comm.rank;
  sink.copy(blocks_met(0, upwards), blocks_of_all(comm.rank, upwards));
  if (comm.rank != 0) sink.copy(blocks_met(upwards, comm.rank), blocks_of_all(0, comm.rank));
}

}  // namespace antiphon::coll::allgather
