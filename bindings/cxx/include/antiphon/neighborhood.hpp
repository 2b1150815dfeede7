// Collectives of neighbours: each rank exchanges with those that its communicator's topology names, and with nobody
// else. Blocks and parts are in the order of the sources, and of the destinations (MPI 5.0, 8.6): of a grid, along
// each dimension the rank before, then the rank after. Where a grid ends, nothing is sent, and what would come from
// there is left as it is: values that are returned are zeros there.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "collective_arguments.hpp"
#include "communicator.hpp"
#include "error.hpp"
#include "options.hpp"
#include "ragged.hpp"
#include "ways.hpp"

namespace antiphon {

namespace detail {

struct degrees {
  int sources, destinations;
};

inline degrees degrees_of(MPI_Comm comm) {
  int kind = MPI_UNDEFINED;
  check(MPI_Topo_test(comm, &kind));
  degrees result{0, 0};
  if (kind == MPI_CART) {
    int dimensions = 0;
    check(MPI_Cartdim_get(comm, &dimensions));
    result = {2 * dimensions, 2 * dimensions};
  } else if (kind == MPI_DIST_GRAPH) {
    int weighted = 0;
    check(MPI_Dist_graph_neighbors_count(comm, &result.sources, &result.destinations, &weighted));
  } else {
    throw error(MPI_ERR_TOPOLOGY,
                "the ranks of this communicator have no neighbours: see cart_create and dist_graph_create");
  }
  return result;
}

// The arguments of each collective, for any of its procedures.
inline auto gathering_from_neighbors(MPI_Comm comm) {
  return [comm](const auto& mine, auto& all, auto call) {
    return gather_parts(mine, all, degrees_of(comm).sources, call, comm);
  };
}
inline auto gathering_blocks_from_neighbors(MPI_Comm comm) {
  return [comm](const auto& mine, auto& all, auto call) {
    check_room(all.size(), degrees_of(comm).sources);
    return gather_blocks(mine, all, call, comm);
  };
}
inline auto exchanging_with_neighbors(MPI_Comm comm) {
  return [comm](const auto& outgoing, auto& incoming, auto call) {
    const auto [sources, destinations] = degrees_of(comm);
    return exchange_parts(outgoing, incoming, destinations, sources, call, comm);
  };
}
inline auto exchanging_blocks_with_neighbors(MPI_Comm comm) {
  return [comm](const auto& outgoing, auto& incoming, auto call) {
    const auto [sources, destinations] = degrees_of(comm);
    return exchange_blocks(outgoing, incoming, destinations, sources, call, comm);
  };
}

}  // namespace detail

class neighborhood : public communicator {
 public:
  using communicator::communicator;

  // All destinations get the same, and each rank gets what its sources have, which is as long everywhere.
  template <class In>
  auto neighbor_allgather(const In& mine) const {
    auto all = from_sources<const In>(mine);
    neighbor_allgather(mine, all);
    return all;
  }
  template <class In, class Out>
  void neighbor_allgather(const In& mine, Out&& all) const {
    detail::explain_result<Out>();
    detail::at_once(MPI_Neighbor_allgather_c, mine, all, detail::gathering_from_neighbors(*this));
  }
  template <class In>
  auto ineighbor_allgather(In&& mine) const {
    auto all = from_sources<In>(mine);
    return ineighbor_allgather(std::forward<In>(mine), std::move(all));
  }
  template <class In, class Out>
  auto ineighbor_allgather(In&& mine, Out&& all) const {
    return detail::in_future(MPI_Ineighbor_allgather_c, std::forward<In>(mine), std::forward<Out>(all),
                             detail::gathering_from_neighbors(*this));
  }
  template <class In>
  auto neighbor_allgather_init(In&& mine) const {
    auto all = from_sources<In>(mine);
    return neighbor_allgather_init(std::forward<In>(mine), std::move(all));
  }
  template <class In, class Out>
  auto neighbor_allgather_init(In&& mine, Out&& all) const {
    return detail::in_rounds(MPI_Neighbor_allgather_init_c, std::forward<In>(mine), std::forward<Out>(all),
                             detail::gathering_from_neighbors(*this));
  }

  // The same, of any length: block i is what source i has. The counts are gathered first, unless the ranks say them.
  template <class In>
  auto neighbor_allgatherv(const In& mine, with_counts with = {}) const {
    ragged<detail::element_of<const In>> all(
        with.counts.said_or([&] { return neighbor_allgather(detail::source_of(mine).count); }));
    detail::at_once(MPI_Neighbor_allgatherv_c, mine, all, detail::gathering_blocks_from_neighbors(*this));
    return all;
  }
  template <class In>
  auto ineighbor_allgatherv(In&& mine, with_known_counts with) const {
    return detail::in_future(MPI_Ineighbor_allgatherv_c, std::forward<In>(mine), blocks<In>(with),
                             detail::gathering_blocks_from_neighbors(*this));
  }
  template <class In>
  auto neighbor_allgatherv_init(In&& mine, with_known_counts with) const {
    return detail::in_rounds(MPI_Neighbor_allgatherv_init_c, std::forward<In>(mine), blocks<In>(with),
                             detail::gathering_blocks_from_neighbors(*this));
  }

  // An equal part of the buffer for each destination. A rank without any does not see how long the parts are that its
  // sources send, so it needs a second buffer.
  template <class In>
  auto neighbor_alltoall(const In& outgoing) const {
    auto incoming = parts_from_sources<const In>(outgoing);
    neighbor_alltoall(outgoing, incoming);
    return incoming;
  }
  template <class In, class Out>
  void neighbor_alltoall(const In& outgoing, Out&& incoming) const {
    detail::explain_result<Out>();
    detail::at_once(MPI_Neighbor_alltoall_c, outgoing, incoming, detail::exchanging_with_neighbors(*this));
  }
  template <class In>
  auto ineighbor_alltoall(In&& outgoing) const {
    auto incoming = parts_from_sources<In>(outgoing);
    return ineighbor_alltoall(std::forward<In>(outgoing), std::move(incoming));
  }
  template <class In, class Out>
  auto ineighbor_alltoall(In&& outgoing, Out&& incoming) const {
    return detail::in_future(MPI_Ineighbor_alltoall_c, std::forward<In>(outgoing), std::forward<Out>(incoming),
                             detail::exchanging_with_neighbors(*this));
  }
  template <class In>
  auto neighbor_alltoall_init(In&& outgoing) const {
    auto incoming = parts_from_sources<In>(outgoing);
    return neighbor_alltoall_init(std::forward<In>(outgoing), std::move(incoming));
  }
  template <class In, class Out>
  auto neighbor_alltoall_init(In&& outgoing, Out&& incoming) const {
    return detail::in_rounds(MPI_Neighbor_alltoall_init_c, std::forward<In>(outgoing), std::forward<Out>(incoming),
                             detail::exchanging_with_neighbors(*this));
  }

  // Block i goes to destination i. The counts are exchanged first, unless the ranks say them.
  template <class T>
  ragged<T> neighbor_alltoallv(const ragged<T>& outgoing, with_counts with = {}) const {
    ragged<T> incoming(with.counts.said_or([&] { return counts_from_sources(outgoing.counts()); }));
    detail::at_once(MPI_Neighbor_alltoallv_c, outgoing, incoming, detail::exchanging_blocks_with_neighbors(*this));
    return incoming;
  }
  template <class Blocks>
  auto ineighbor_alltoallv(Blocks&& outgoing, with_known_counts with) const {
    if constexpr (detail::explain_blocks<Blocks>())
      return detail::in_future(MPI_Ineighbor_alltoallv_c, std::move(outgoing), Blocks(with.counts.copy()),
                               detail::exchanging_blocks_with_neighbors(*this));
  }
  template <class Blocks>
  auto neighbor_alltoallv_init(Blocks&& outgoing, with_known_counts with) const {
    if constexpr (detail::explain_blocks<Blocks>())
      return detail::in_rounds(MPI_Neighbor_alltoallv_init_c, std::move(outgoing), Blocks(with.counts.copy()),
                               detail::exchanging_blocks_with_neighbors(*this));
  }

  // Region i of what goes out is for destination i, and region i of what comes in is where the part of source i goes.
  // Each has a datatype of its own: a column of a matrix, a row. region{} is nothing.
  template <class Out, class In>
  void neighbor_alltoallw(const Out& outgoing, const In& incoming) const {
    detail::exchange_at_once(MPI_Neighbor_alltoallw_c, regions(outgoing, incoming), *this);
  }
  template <class Out, class In>
  auto ineighbor_alltoallw(const Out& outgoing, const In& incoming) const {
    return detail::exchange_in_future(MPI_Ineighbor_alltoallw_c, regions(outgoing, incoming), *this);
  }
  template <class Out, class In>
  auto neighbor_alltoallw_init(const Out& outgoing, const In& incoming) const {
    return detail::exchange_in_rounds(MPI_Neighbor_alltoallw_init_c, regions(outgoing, incoming), *this);
  }

 private:
  template <class B>
  using elements = std::vector<detail::element_of<B>>;

  template <class In>
  elements<In> from_sources(const In& mine) const {
    return elements<In>(static_cast<std::size_t>(detail::source_of(mine).count * detail::degrees_of(*this).sources));
  }
  template <class In>
  elements<In> parts_from_sources(const In& outgoing) const {
    const auto [sources, destinations] = detail::degrees_of(*this);
    if (destinations == 0 && sources > 0)
      throw error(
          MPI_ERR_COUNT,
          "this rank sends to nobody, so it does not see how long the parts are that come: pass a second buffer");
    const MPI_Count part = destinations > 0 ? detail::source_of(outgoing).count / destinations : 0;
    return elements<In>(static_cast<std::size_t>(part * sources));
  }
  std::vector<MPI_Count> counts_from_sources(const std::vector<MPI_Count>& outgoing) const {
    const auto [sources, destinations] = detail::degrees_of(*this);
    detail::check_room(static_cast<MPI_Count>(outgoing.size()), destinations);
    std::vector<MPI_Count> incoming(static_cast<std::size_t>(sources));
    neighbor_alltoall(outgoing, incoming);
    return incoming;
  }
  template <class Out, class In>
  detail::region_exchange regions(const Out& outgoing, const In& incoming) const {
    const auto [sources, destinations] = detail::degrees_of(*this);
    return {outgoing, incoming, destinations, sources};
  }
  template <class In>
  static ragged<detail::element_of<In>> blocks(const with_known_counts& with) {
    return ragged<detail::element_of<In>>(with.counts.copy());
  }
};

}  // namespace antiphon
