// Alltoall of equal blocks in ceil(log2 n) exchanges of half of what a rank has: very short blocks. A block that has
// to go so far travels by the powers of two of which that is the sum.
#pragma once

#include <algorithm>

#include "engine/coll/sink.hpp"

namespace antiphon::coll::alltoall {

// Blocks whose distance has this bit, which follow one another in groups of that length.
template <class F>
void each_group_with(int bit, int size, F visit) {
  for (int first = bit; first < size; first += 2 * bit) visit(first, std::min(bit, size - first));
}

template <Sink S>
void bruck(S& sink, const CommView& comm, const Region& out, const Region& in) {
  // By distance from the rank that they come from.
  const Region ours = scratch_region(sink, in.bytes), leaving = scratch_region(sink, in.bytes),
               arriving = scratch_region(sink, in.bytes);
  const int upwards = comm.size - comm.rank;
  sink.copy(out.blocks(comm.rank, upwards, comm.size), ours.blocks(0, upwards, comm.size));
  if (comm.rank != 0) sink.copy(out.blocks(0, comm.rank, comm.size), ours.blocks(upwards, comm.rank, comm.size));
  for (int bit = 1; bit < comm.size; bit *= 2) {
    int packed = 0;
    each_group_with(bit, comm.size, [&](int first, int number) {
      sink.copy(ours.blocks(first, number, comm.size), leaving.blocks(packed, number, comm.size));
      packed += number;
    });
    sink.receive(arriving.blocks(0, packed, comm.size), comm.before(bit));
    sink.send(leaving.blocks(0, packed, comm.size), comm.after(bit));
    sink.fence();
    packed = 0;
    each_group_with(bit, comm.size, [&](int first, int number) {
      sink.copy(arriving.blocks(packed, number, comm.size), ours.blocks(first, number, comm.size));
      packed += number;
    });
  }
  for (int distance = 0; distance < comm.size; ++distance)
    sink.copy(ours.block(distance, comm.size), in.block(comm.before(distance), comm.size));
}

}  // namespace antiphon::coll::alltoall
