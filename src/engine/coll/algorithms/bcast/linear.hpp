// Broadcast in one step, for few ranks: the root sends to all others at the same time.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::bcast {

template <Sink S>
void linear(S& sink, const CommView& comm, const Region& buffer, int root) {
  if (comm.rank != root) {
    sink.receive(buffer, root);
  } else {
    for (int distance = 1; distance < comm.size; ++distance) sink.send(buffer, comm.after(distance));
  }
  sink.fence();
}

}  // namespace antiphon::coll::bcast
