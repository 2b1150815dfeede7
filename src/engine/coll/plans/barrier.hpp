// MPI_Barrier: MPI 5.0, 6.3. On an intercommunicator no rank leaves before all ranks of the other group have entered.
#pragma once

#include "engine/coll/algorithms/barrier/dissemination.hpp"
#include "engine/coll/algorithms/barrier/hierarchical.hpp"
#include "engine/coll/algorithms/barrier/tree.hpp"
#include "engine/coll/choice.hpp"

namespace antiphon::coll {

namespace barrier {
template <Sink S>
void between(S& sink, const View& view) {
  arrive(sink, view);
  if (view.rank == 0) {
    sink.receive(Region{}, across(0));
    sink.send(Region{}, across(0));
  }
  release(sink, view);
}
}  // namespace barrier

template <Sink S>
void plan_barrier(S& sink, const Choice& choice = {}) {
  using Algorithm = settings::BarrierAlgorithm;
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]]
    return barrier::between(sink, view);
  switch (choice.among(&settings::Values::barrier_algorithm, {.operation = Operation::barrier, .ranks = view.size})) {
    case Algorithm::hierarchical:
      return barrier::hierarchical(sink, choice.nodes());
    case Algorithm::tree:
      return barrier::tree(sink, view);
    case Algorithm::dissemination:
    case Algorithm::automatic:
      return barrier::dissemination(sink, view);
  }
}

}  // namespace antiphon::coll
