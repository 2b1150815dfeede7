// Barrier in ceil(log2 n) rounds. After round k a rank knows that the 2^(k+1) - 1 ranks before it have entered.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::barrier {

template <Sink S>
void dissemination(S& sink, const CommView& comm) {
  for (int distance = 1; distance < comm.size; distance *= 2) {
    sink.receive(Region{}, comm.before(distance));
    sink.send(Region{}, comm.after(distance));
    sink.fence();
  }
}

}  // namespace antiphon::coll::barrier
