// Broadcast by the root alone, to all at once: one step, and all the work in one place. For few ranks.
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
