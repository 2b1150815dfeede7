// Alltoall of equal blocks in ceil(log2 n) exchanges of half of a rank's blocks: for very short blocks. A block
// travels to the rank at distance d in steps of the powers of two whose sum is d.
#pragma once

#include <algorithm>

#include "engine/coll/sink.hpp"

namespace antiphon::coll::alltoall {

// Visits the blocks whose distance has this bit set. They form groups of `bit` consecutive blocks.
template <class F>
void each_group_with(int bit, int size, F visit) {
  for (int first = bit; first < size; first += 2 * bit) visit(first, std::min(bit, size - first));
}

template <Sink S>
void bruck(S& sink, const CommView& comm, const Region& out, const Region& in) {
  // Blocks are numbered by the distance from their source to their destination.
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
