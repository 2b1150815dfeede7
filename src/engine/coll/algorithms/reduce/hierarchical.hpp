// Hierarchical reduction: to a leader of each node, and from the leaders to the root. Each level is a reduction of
// its own, with an algorithm chosen for it. In rank order if the ranks of each node are consecutive and the root is
// rank 0.
#pragma once

#include "engine/coll/algorithms/reduce/sum.hpp"
#include "engine/coll/among.hpp"
#include "engine/coll/choice.hpp"

namespace antiphon::coll::reduce {

template <Sink S>
void within(S& sink, const CommView& comm, const Terms& terms, int root, const Choice& choice);

template <Sink S>
void hierarchical(S& sink, const CommView& comm, const Terms& terms, int root, const Choice& choice) {
  const Hierarchy levels(sink, choice.nodes(), root);
  Among<S> node = levels.node();
  const bool is_root = comm.rank == root;
  if (!levels.leads()) return within(node, node.view(), terms, levels.leader(), choice.within_node());
  const Vector of_node = is_root ? terms.result : scratch_like(sink, terms.mine, terms.mine.elements());
  within(node, node.view(), {terms.mine, of_node}, levels.leader(), choice.within_node());
  Among<S> leaders = levels.leaders();
  within(leaders, leaders.view(), {of_node, of_node}, leaders.index_of(root), choice.between_nodes());
}

}  // namespace antiphon::coll::reduce
