// MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw: MPI 5.0, 6.8. `out` and `in` have a block for each rank. Without
// `out`, the data to be sent is in `in`. On an intercommunicator blocks go to and come from the other group, and may
// differ in length.
#pragma once

#include <optional>
#include <type_traits>

#include "engine/coll/algorithms/alltoall/bruck.hpp"
#include "engine/coll/algorithms/alltoall/hierarchical.hpp"
#include "engine/coll/algorithms/alltoall/pairwise.hpp"
#include "engine/coll/algorithms/alltoall/spread.hpp"
#include "engine/coll/choice.hpp"

namespace antiphon::coll {

namespace alltoall {
template <Sink S>
void within(S& sink, const CommView& comm, const Region& out, const Region& in, const Choice& choice) {
  using Algorithm = settings::AlltoallAlgorithm;
  switch (choice.among(&settings::Values::alltoall_algorithm,
                       {.operation = Operation::alltoall,
                        .ranks = comm.size,
                        .bytes = in.bytes / static_cast<std::size_t>(comm.size)})) {
    case Algorithm::pairwise:
      return pairwise(sink, comm, out, in);
    case Algorithm::bruck:
      return bruck(sink, comm, out, in);
    case Algorithm::hierarchical:
      if constexpr (!kIsPart<S>) return hierarchical(sink, comm, out, in, choice);
      [[fallthrough]];
    case Algorithm::spread:
    case Algorithm::automatic:
      return spread(sink, comm, out, in);
  }
}
// No rank knows how much others send to each other.
template <Sink S>
void within(S& sink, const CommView& comm, const BlockList& out, const BlockList& in, const Choice& choice) {
  using Algorithm = settings::AlltoallvAlgorithm;
  if (choice.among(&settings::Values::alltoallv_algorithm, {.operation = Operation::alltoallv, .ranks = comm.size}) ==
      Algorithm::pairwise)
    return pairwise(sink, comm, out, in);
  spread(sink, comm, out, in);
}
}  // namespace alltoall

template <Sink S, Blocks B>
void plan_alltoall(S& sink, const std::optional<std::type_identity_t<B>>& out, const B& in,
                   const Choice& choice = {}) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]]
    return alltoall::spread_across(sink, view, *out, in);
  if (out) return alltoall::within(sink, view, *out, in, choice);
  alltoall::within(sink, view, packed_copy(sink, in), in, choice);
}

}  // namespace antiphon::coll
