// Alltoall in one step: all messages at the same time. Each rank sends to the rank after it first, so that the ranks
// do not all begin with the same receiver. On an intercommunicator, to all ranks of the other group.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::alltoall {

template <Sink S, Blocks Out, Blocks In>
void spread(S& sink, const CommView& comm, const Out& out, const In& in) {
  for (int distance = 1; distance < comm.size; ++distance)
    sink.receive(in.block(comm.before(distance), comm.size), comm.before(distance));
  for (int distance = 1; distance < comm.size; ++distance)
    sink.send(out.block(comm.after(distance), comm.size), comm.after(distance));
  sink.copy(out.block(comm.rank, comm.size), in.block(comm.rank, comm.size));
  sink.fence();
}

template <Sink S, Blocks Out, Blocks In>
void spread_across(S& sink, const View& view, const Out& out, const In& in) {
  for (int peer = 0; peer < view.others; ++peer) sink.receive(in.block(peer, view.others), across(peer));
  for (int i = 0; i < view.others; ++i) {
    const int peer = (view.rank + i) % view.others;
    sink.send(out.block(peer, view.others), across(peer));
  }
  sink.fence();
}

}  // namespace antiphon::coll::alltoall
