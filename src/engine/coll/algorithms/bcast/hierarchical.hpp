// Hierarchical broadcast: to a leader of each node, and from there to its node. Each level is a broadcast of its own,
// with an algorithm chosen for it.
#pragma once

#include "engine/coll/among.hpp"
#include "engine/coll/choice.hpp"

namespace antiphon::coll::bcast {

template <Sink S>
void within(S& sink, const CommView& comm, const Region& buffer, int root, const Choice& choice);

template <Sink S>
void hierarchical(S& sink, const Region& buffer, int root, const Choice& choice) {
  const Hierarchy levels(sink, choice.nodes(), root);
  if (levels.leads()) {
    Among<S> leaders = levels.leaders();
    within(leaders, leaders.view(), buffer, leaders.index_of(root), choice.between_nodes());
  }
  Among<S> node = levels.node();
  within(node, node.view(), buffer, levels.leader(), choice.within_node());
}

}  // namespace antiphon::coll::bcast
