// Allgather in ceil(log2 n) exchanges, for short blocks of any lengths. A rank collects blocks in the order of the
// ranks after it, beginning with its own, and at the end copies them to their places. This rank's block is in place.
#pragma once

#include <algorithm>

#include "engine/coll/shares.hpp"
#include "engine/coll/sink.hpp"

namespace antiphon::coll::allgather {

// The lengths of the blocks, in the order in which they are collected.
inline Shares lengths_met(const CommView& comm, const Region& all) {
  return Shares(all.bytes / static_cast<std::size_t>(comm.size));
}
inline Shares lengths_met(const CommView& comm, const BlockList& all) {
  std::vector<std::size_t> starts{0};
  for (int distance = 0; distance < comm.size; ++distance)
    starts.push_back(starts.back() + all[comm.after(distance)].bytes);
  return Shares(std::move(starts));
}

template <Sink S, class BlocksMet>
void put_in_place(S& sink, const CommView& comm, const BlocksMet& met, const Region& all) {
  const int upwards = comm.size - comm.rank;
  sink.copy(met(0, upwards), all.blocks(comm.rank, upwards, comm.size));
  if (comm.rank != 0) sink.copy(met(upwards, comm.rank), all.blocks(0, comm.rank, comm.size));
}
template <Sink S, class BlocksMet>
void put_in_place(S& sink, const CommView& comm, const BlocksMet& met, const BlockList& all) {
  for (int distance = 1; distance < comm.size; ++distance) sink.copy(met(distance, 1), all[comm.after(distance)]);
}

template <Sink S, Blocks B>
void bruck(S& sink, const CommView& comm, const B& all) {
  const Shares lengths = lengths_met(comm, all);
  const Region room = scratch_region(sink, lengths.start(comm.size));
  const auto met = [&](int first, int number) {
    return Region{room.at + lengths.start(first), lengths.start(first + number) - lengths.start(first)};
  };
  sink.copy(all.block(comm.rank, comm.size), met(0, 1));
  for (int have = 1; have < comm.size; have *= 2) {
    const int more = std::min(have, comm.size - have);
    sink.receive(met(have, more), comm.after(have));
    sink.send(met(0, more), comm.before(have));
    sink.fence();
  }
  put_in_place(sink, comm, met, all);
}

}  // namespace antiphon::coll::allgather
