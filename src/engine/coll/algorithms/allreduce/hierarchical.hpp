// Hierarchical allreduce: a reduction on each node, an allreduce of these results among leaders, and a broadcast on
// each node. Operands are combined in rank order if the ranks of each node are consecutive.
#pragma once

#include "engine/coll/among.hpp"
#include "engine/coll/choice.hpp"
#include "engine/coll/plans/bcast.hpp"
#include "engine/coll/plans/reduce.hpp"

namespace antiphon::coll::allreduce {

template <Sink S>
void within(S& sink, const CommView& comm, const Vector& mine, const Vector& result, const Choice& choice);

template <Sink S>
void hierarchical(S& sink, const Vector& mine, const Vector& result, const Choice& choice) {
  const Hierarchy levels(sink, choice.nodes(), 0);
  Among<S> node = levels.node();
  reduce::within(node, node.view(), {mine, result}, 0, choice.within_node());
  if (levels.leads()) {
    Among<S> leaders = levels.leaders();
    within(leaders, leaders.view(), result, result, choice.between_nodes());
  }
  bcast::within(node, node.view(), result.region(), 0, choice.within_node());
}

}  // namespace antiphon::coll::allreduce
