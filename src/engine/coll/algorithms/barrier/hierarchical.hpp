// Hierarchical barrier: ranks report to their node's leader, leaders wait for one another and then release their
// nodes.
#pragma once

#include "engine/coll/algorithms/barrier/dissemination.hpp"
#include "engine/coll/algorithms/barrier/tree.hpp"
#include "engine/coll/among.hpp"

namespace antiphon::coll::barrier {

template <Sink S>
void hierarchical(S& sink, const objects::Nodes& nodes) {
  const Hierarchy levels(sink, nodes, 0);
  Among<S> node = levels.node();
  arrive(node, node.view());
  if (levels.leads()) {
    Among<S> leaders = levels.leaders();
    dissemination(leaders, leaders.view());
  }
  release(node, node.view());
}

}  // namespace antiphon::coll::barrier
