// MPI_Bcast: MPI 5.0, 6.4. `root` is a rank of this group. On an intercommunicator it is a rank of the other group,
// or abi::ROOT on the root itself; other ranks of the root's group do not call this.
#pragma once

#include "abi/constants.hpp"
#include "engine/coll/algorithms/bcast/hierarchical.hpp"
#include "engine/coll/algorithms/bcast/knomial.hpp"
#include "engine/coll/algorithms/bcast/linear.hpp"
#include "engine/coll/algorithms/bcast/pipelined.hpp"
#include "engine/coll/algorithms/bcast/scatter_allgather.hpp"
#include "engine/coll/choice.hpp"

namespace antiphon::coll {

namespace bcast {
using Algorithm = settings::BcastAlgorithm;

template <Sink S>
void by(Algorithm algorithm, S& sink, const CommView& comm, const Region& buffer, int root, const Case& what,
        const Choice& choice) {
  switch (algorithm) {
    case Algorithm::linear:
      return linear(sink, comm, buffer, root);
    case Algorithm::knomial:
      return knomial(sink, comm, buffer, root, choice.radix_bits());
    case Algorithm::scatter_allgather:
      return scatter_allgather(sink, comm, buffer, root);
    case Algorithm::chain:
    case Algorithm::binary: {
      const ShallowTree tree(comm, root, algorithm == Algorithm::chain ? 1 : 2);
      return pipelined(sink, tree, buffer, choice.chunk_bytes(what, tree.depth()));
    }
    case Algorithm::hierarchical:
      if constexpr (!kIsPart<S>) return hierarchical(sink, buffer, root, choice);
      [[fallthrough]];
    case Algorithm::binomial:
    case Algorithm::automatic:
      return binomial(sink, comm, buffer, root);
  }
}

// A scattered buffer is packed once, if ranks send it several times or in parts.
template <Sink S>
void within(S& sink, const CommView& comm, const Region& buffer, int root, const Choice& choice) {
  const Case what{.operation = Operation::bcast, .ranks = comm.size, .bytes = buffer.bytes};
  const Algorithm algorithm = choice.among(&settings::Values::bcast_algorithm, what);
  const bool is_passed_on = comm.size > 2 || (algorithm != Algorithm::binomial && algorithm != Algorithm::linear);
  if (buffer.in_one_piece() || !is_passed_on) return by(algorithm, sink, comm, buffer, root, what, choice);
  const Region packed = staged(sink, buffer);
  if (comm.rank == root) sink.copy(buffer, packed);
  by(algorithm, sink, comm, packed, root, what, choice);
  if (comm.rank != root) sink.copy(packed, buffer);
}
}  // namespace bcast

template <Sink S>
void plan_bcast(S& sink, const Region& buffer, int root, const Choice& choice = {}) {
  const View view = sink.view();
  if (!view.is_inter()) [[likely]]
    return bcast::within(sink, view, buffer, root, choice);
  if (root == abi::ROOT) {
    sink.send(buffer, across(0));
    return sink.fence();
  }
  if (view.rank == 0) {
    sink.receive(buffer, across(root));
    sink.fence();
  }
  bcast::within(sink, view, buffer, 0, choice.of_any_length());
}

}  // namespace antiphon::coll
