// Allreduce in log2 n exchanges of the whole vector: short messages. Where n is no power of two, the ranks beyond
// the largest one below it hand their vector to a partner first and get the result from it last. `result` holds this
// rank's contribution at first. Every rank combines the same values in the same tree, so all get the same bits.
#pragma once

#include <bit>

#include "engine/coll/sink.hpp"

namespace antiphon::coll::allreduce {

template <Sink S>
void recursive_doubling(S& sink, const CommView& comm, std::byte* result, std::size_t bytes) {
  const int core = static_cast<int>(std::bit_floor(static_cast<unsigned>(comm.size)));
  const int beyond = comm.rank - core;
  if (beyond >= 0) {
    sink.send(result, bytes, beyond);
    sink.fence();
    sink.receive(result, bytes, beyond);
    sink.fence();
    return;
  }
  std::byte* incoming = sink.scratch(bytes);
  const bool has_partner = comm.rank + core < comm.size;
  if (has_partner) {
    sink.receive(incoming, bytes, comm.rank + core);
    sink.fence();
    sink.reduce(incoming, result, bytes);
  }
  for (int distance = 1; distance < core; distance *= 2) {
    sink.receive(incoming, bytes, comm.rank ^ distance);
    sink.send(result, bytes, comm.rank ^ distance);
    sink.fence();
    sink.reduce(incoming, result, bytes);
  }
  if (has_partner) {
    sink.send(result, bytes, comm.rank + core);
    sink.fence();
  }
}

}  // namespace antiphon::coll::allreduce
