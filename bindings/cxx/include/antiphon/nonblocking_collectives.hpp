// Collectives that do not block: in a future, or again and again. They take and return what the blocking ones do,
// with two differences. What is sent is moved in or lent as a view, as in isend. And nobody can ask for lengths
// first: where a rank does not see how much will come, it says so, by {.counts = ...}, or by a buffer of that length,
// which is moved in or lent.
//
//   auto all = comm.igather(std::move(mine), {.root = 2});   // get(): the root's vector of all, empty elsewhere
//   auto part = comm.iscatter(std::move(all), std::vector<double>(n), {.root = 2});
//   auto sums = comm.reduce_scatter_block_init(std::vector<double>(n * comm.size()), std::plus{});
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "collective_arguments.hpp"
#include "collectives.hpp"
#include "error.hpp"
#include "operation.hpp"
#include "options.hpp"
#include "ragged.hpp"
#include "ways.hpp"

namespace antiphon {

namespace detail {

// Stops the compiler with a sentence where something is no blocks that a future can keep.
template <class B>
consteval bool explain_blocks() {
  constexpr bool blocks = is_ragged<std::remove_cvref_t<B>>;
  static_assert(blocks,
                "a block for each rank is said by antiphon::ragged: antiphon::ragged<int>::of(blocks), or "
                "antiphon::ragged<int>(std::move(values), counts)");
  static_assert(!blocks || !std::is_lvalue_reference_v<B>,
                "these blocks could be changed or destroyed while MPI uses them: std::move them in");
  return blocks && !std::is_lvalue_reference_v<B>;
}

}  // namespace detail

class nonblocking_collectives : public collectives {
 public:
  using collectives::collectives;

  // As many elements from each rank.
  template <class In>
  auto igather(In&& mine, rooted with = {}) const {
    auto all = room_on_root<In>(mine, with);
    return igather(std::forward<In>(mine), std::move(all), with);
  }
  template <class In, class Out>
  auto igather(In&& mine, Out&& all, rooted with = {}) const {
    return detail::in_future(MPI_Igather_c, std::forward<In>(mine), std::forward<Out>(all),
                             detail::gathering(*this, with));
  }
  template <class In>
  auto gather_init(In&& mine, rooted with = {}) const {
    auto all = room_on_root<In>(mine, with);
    return gather_init(std::forward<In>(mine), std::move(all), with);
  }
  template <class In, class Out>
  auto gather_init(In&& mine, Out&& all, rooted with = {}) const {
    return detail::in_rounds(MPI_Gather_init_c, std::forward<In>(mine), std::forward<Out>(all),
                             detail::gathering(*this, with));
  }

  template <class In>
  auto iallgather(In&& mine) const {
    auto all = room_for<In>(mine);
    return iallgather(std::forward<In>(mine), std::move(all));
  }
  template <class In, class Out>
  auto iallgather(In&& mine, Out&& all) const {
    return detail::in_future(MPI_Iallgather_c, std::forward<In>(mine), std::forward<Out>(all),
                             detail::allgathering(*this));
  }
  template <class In>
  auto allgather_init(In&& mine) const {
    auto all = room_for<In>(mine);
    return allgather_init(std::forward<In>(mine), std::move(all));
  }
  template <class In, class Out>
  auto allgather_init(In&& mine, Out&& all) const {
    return detail::in_rounds(MPI_Allgather_init_c, std::forward<In>(mine), std::forward<Out>(all),
                             detail::allgathering(*this));
  }

  // Any number of elements from each rank.
  template <class In>
  auto igatherv(In&& mine, rooted_with_known_counts with) const {
    return detail::in_future(MPI_Igatherv_c, std::forward<In>(mine), blocks<In>(with.counts),
                             detail::gathering_blocks(*this, with.root));
  }
  template <class In>
  auto gatherv_init(In&& mine, rooted_with_known_counts with) const {
    return detail::in_rounds(MPI_Gatherv_init_c, std::forward<In>(mine), blocks<In>(with.counts),
                             detail::gathering_blocks(*this, with.root));
  }
  template <class In>
  auto iallgatherv(In&& mine, with_known_counts with) const {
    return detail::in_future(MPI_Iallgatherv_c, std::forward<In>(mine), blocks<In>(with.counts),
                             detail::allgathering_blocks(*this));
  }
  template <class In>
  auto allgatherv_init(In&& mine, with_known_counts with) const {
    return detail::in_rounds(MPI_Allgatherv_init_c, std::forward<In>(mine), blocks<In>(with.counts),
                             detail::allgathering_blocks(*this));
  }

  // An equal part of the root's buffer for each rank, as long as the room that it has. Elsewhere `all` may be empty.
  template <class In, class Out>
  auto iscatter(In&& all, Out&& mine, rooted with = {}) const {
    return detail::in_future(MPI_Iscatter_c, std::forward<In>(all), std::forward<Out>(mine),
                             detail::scattering(*this, with));
  }
  template <class In, class Out>
  auto scatter_init(In&& all, Out&& mine, rooted with = {}) const {
    return detail::in_rounds(MPI_Scatter_init_c, std::forward<In>(all), std::forward<Out>(mine),
                             detail::scattering(*this, with));
  }
  // Block r of the root's for rank r, as long as the room that it has.
  template <class Blocks, class Out>
  auto iscatterv(Blocks&& all, Out&& mine, rooted with = {}) const {
    if constexpr (detail::explain_blocks<Blocks>())
      return detail::in_future(MPI_Iscatterv_c, std::move(all), std::forward<Out>(mine),
                               detail::scattering_blocks(*this, with));
  }
  template <class Blocks, class Out>
  auto scatterv_init(Blocks&& all, Out&& mine, rooted with = {}) const {
    if constexpr (detail::explain_blocks<Blocks>())
      return detail::in_rounds(MPI_Scatterv_init_c, std::move(all), std::forward<Out>(mine),
                               detail::scattering_blocks(*this, with));
  }

  // An equal part of each rank's buffer for each rank.
  template <class In>
  auto ialltoall(In&& outgoing) const {
    auto incoming = room_like<In>(outgoing);
    return ialltoall(std::forward<In>(outgoing), std::move(incoming));
  }
  template <class In, class Out>
  auto ialltoall(In&& outgoing, Out&& incoming) const {
    return detail::in_future(MPI_Ialltoall_c, std::forward<In>(outgoing), std::forward<Out>(incoming),
                             detail::exchanging(*this));
  }
  template <class In>
  auto alltoall_init(In&& outgoing) const {
    auto incoming = room_like<In>(outgoing);
    return alltoall_init(std::forward<In>(outgoing), std::move(incoming));
  }
  template <class In, class Out>
  auto alltoall_init(In&& outgoing, Out&& incoming) const {
    return detail::in_rounds(MPI_Alltoall_init_c, std::forward<In>(outgoing), std::forward<Out>(incoming),
                             detail::exchanging(*this));
  }
  // Block r goes to rank r.
  template <class Blocks>
  auto ialltoallv(Blocks&& outgoing, with_known_counts with) const {
    if constexpr (detail::explain_blocks<Blocks>())
      return detail::in_future(MPI_Ialltoallv_c, std::move(outgoing), Blocks(with.counts.copy()),
                               detail::exchanging_blocks(*this));
  }
  template <class Blocks>
  auto alltoallv_init(Blocks&& outgoing, with_known_counts with) const {
    if constexpr (detail::explain_blocks<Blocks>())
      return detail::in_rounds(MPI_Alltoallv_init_c, std::move(outgoing), Blocks(with.counts.copy()),
                               detail::exchanging_blocks(*this));
  }

  // Region r of what goes out is for rank r, and region r of what comes in is where its part goes. Each has a
  // datatype of its own; region{} is nothing. The memory is the program's, as that of a span is.
  template <class Out, class In>
  void alltoallw(const Out& outgoing, const In& incoming) const {
    detail::exchange_at_once(MPI_Alltoallw_c, regions(outgoing, incoming), *this);
  }
  template <class Out, class In>
  auto ialltoallw(const Out& outgoing, const In& incoming) const {
    return detail::exchange_in_future(MPI_Ialltoallw_c, regions(outgoing, incoming), *this);
  }
  template <class Out, class In>
  auto alltoallw_init(const Out& outgoing, const In& incoming) const {
    return detail::exchange_in_rounds(MPI_Alltoallw_init_c, regions(outgoing, incoming), *this);
  }

  // Reductions combine the ranks' elements one by one. Ranks that get no result get an empty optional, or an empty
  // vector. Of values, a persistent one keeps its result in that optional.
  template <class In, class F>
  auto iallreduce(In&& mine, F operation) const {
    auto result = result_like<In>(mine);
    return iallreduce(std::forward<In>(mine), std::move(result), operation);
  }
  template <class In, class Out, class F>
  auto iallreduce(In&& mine, Out&& result, F operation) const {
    return detail::in_future(MPI_Iallreduce_c, std::forward<In>(mine), std::forward<Out>(result),
                             detail::reducing(*this, operation, true));
  }
  template <class In, class F>
  auto allreduce_init(In&& mine, F operation) const {
    auto result = result_like<In>(mine);
    return allreduce_init(std::forward<In>(mine), std::move(result), operation);
  }
  template <class In, class Out, class F>
  auto allreduce_init(In&& mine, Out&& result, F operation) const {
    return detail::in_rounds(MPI_Allreduce_init_c, std::forward<In>(mine), std::forward<Out>(result),
                             detail::reducing(*this, operation, true));
  }

  template <class In, class F>
  auto ireduce(In&& mine, F operation, rooted with = {}) const {
    auto result = detail::result_if(rank() == with.root, mine);
    return ireduce(std::forward<In>(mine), std::move(result), operation, with);
  }
  template <class In, class Out, class F>
  auto ireduce(In&& mine, Out&& result, F operation, rooted with = {}) const {
    return detail::in_future(MPI_Ireduce_c, std::forward<In>(mine), std::forward<Out>(result),
                             detail::reducing(*this, operation, rank() == with.root, with.root));
  }
  template <class In, class F>
  auto reduce_init(In&& mine, F operation, rooted with = {}) const {
    auto result = detail::result_if(rank() == with.root, mine);
    return reduce_init(std::forward<In>(mine), std::move(result), operation, with);
  }
  template <class In, class Out, class F>
  auto reduce_init(In&& mine, Out&& result, F operation, rooted with = {}) const {
    return detail::in_rounds(MPI_Reduce_init_c, std::forward<In>(mine), std::forward<Out>(result),
                             detail::reducing(*this, operation, rank() == with.root, with.root));
  }

  // Rank r gets what ranks 0 to r make together.
  template <class In, class F>
  auto iscan(In&& mine, F operation) const {
    auto result = result_like<In>(mine);
    return iscan(std::forward<In>(mine), std::move(result), operation);
  }
  template <class In, class Out, class F>
  auto iscan(In&& mine, Out&& result, F operation) const {
    return detail::in_future(MPI_Iscan_c, std::forward<In>(mine), std::forward<Out>(result),
                             detail::reducing(*this, operation, true));
  }
  template <class In, class F>
  auto scan_init(In&& mine, F operation) const {
    auto result = result_like<In>(mine);
    return scan_init(std::forward<In>(mine), std::move(result), operation);
  }
  template <class In, class Out, class F>
  auto scan_init(In&& mine, Out&& result, F operation) const {
    return detail::in_rounds(MPI_Scan_init_c, std::forward<In>(mine), std::forward<Out>(result),
                             detail::reducing(*this, operation, true));
  }
  // Rank r gets what ranks 0 to r - 1 make together, rank 0 nothing.
  template <class In, class F>
  auto iexscan(In&& mine, F operation) const {
    auto result = detail::result_if(rank() != 0, mine);
    return detail::in_future(MPI_Iexscan_c, std::forward<In>(mine), std::move(result),
                             detail::reducing(*this, operation, rank() != 0));
  }
  template <class In, class F>
  auto exscan_init(In&& mine, F operation) const {
    auto result = detail::result_if(rank() != 0, mine);
    return detail::in_rounds(MPI_Exscan_init_c, std::forward<In>(mine), std::move(result),
                             detail::reducing(*this, operation, rank() != 0));
  }

  // Rank r gets what the ranks make together of their parts r, which are equal; or of their blocks r.
  template <class In, class F>
  auto reduce_scatter_block(const In& mine, F operation) const {
    auto part = part_of<const In>(mine);
    reduce_scatter_block(mine, part, operation);
    return part;
  }
  template <class In, class Out, class F>
  void reduce_scatter_block(const In& mine, Out&& part, F operation) const {
    detail::explain_result<Out>();
    detail::at_once(MPI_Reduce_scatter_block_c, mine, part, detail::reducing_parts(*this, operation));
  }
  template <class In, class F>
  auto ireduce_scatter_block(In&& mine, F operation) const {
    auto part = part_of<In>(mine);
    return ireduce_scatter_block(std::forward<In>(mine), std::move(part), operation);
  }
  template <class In, class Out, class F>
  auto ireduce_scatter_block(In&& mine, Out&& part, F operation) const {
    return detail::in_future(MPI_Ireduce_scatter_block_c, std::forward<In>(mine), std::forward<Out>(part),
                             detail::reducing_parts(*this, operation));
  }
  template <class In, class F>
  auto reduce_scatter_block_init(In&& mine, F operation) const {
    auto part = part_of<In>(mine);
    return reduce_scatter_block_init(std::forward<In>(mine), std::move(part), operation);
  }
  template <class In, class Out, class F>
  auto reduce_scatter_block_init(In&& mine, Out&& part, F operation) const {
    return detail::in_rounds(MPI_Reduce_scatter_block_init_c, std::forward<In>(mine), std::forward<Out>(part),
                             detail::reducing_parts(*this, operation));
  }

  template <class T, class F>
  std::vector<T> reduce_scatter(const ragged<T>& mine, F operation) const {
    std::vector<T> block = own_block(mine);
    detail::at_once(MPI_Reduce_scatter_c, mine, block, detail::reducing_blocks(*this, operation));
    return block;
  }
  template <class Blocks, class F>
  auto ireduce_scatter(Blocks&& mine, F operation) const {
    if constexpr (detail::explain_blocks<Blocks>()) {
      auto block = own_block(mine);
      return detail::in_future(MPI_Ireduce_scatter_c, std::move(mine), std::move(block),
                               detail::reducing_blocks(*this, operation));
    }
  }
  template <class Blocks, class F>
  auto reduce_scatter_init(Blocks&& mine, F operation) const {
    if constexpr (detail::explain_blocks<Blocks>()) {
      auto block = own_block(mine);
      return detail::in_rounds(MPI_Reduce_scatter_init_c, std::move(mine), std::move(block),
                               detail::reducing_blocks(*this, operation));
    }
  }

 private:
  // Room for results, as the blocking collectives make it.
  template <class B>
  using elements = std::vector<detail::element_of<B>>;
  template <class In>
  elements<In> room_for(const In& mine) const {
    return elements<In>(static_cast<std::size_t>(detail::source_of(mine).count * size()));
  }
  template <class In>
  elements<In> room_on_root(const In& mine, rooted with) const {
    return rank() == with.root ? room_for<In>(mine) : elements<In>();
  }
  template <class In>
  static elements<In> room_like(const In& outgoing) {
    return elements<In>(static_cast<std::size_t>(detail::source_of(outgoing).count));
  }
  template <class In>
  elements<In> part_of(const In& mine) const {
    return elements<In>(static_cast<std::size_t>(detail::source_of(mine).count / size()));
  }
  template <class In>
  static ragged<detail::element_of<In>> blocks(const detail::known_counts& counts) {
    return ragged<detail::element_of<In>>(counts.copy());
  }
  template <class Out, class In>
  detail::region_exchange regions(const Out& outgoing, const In& incoming) const {
    return {outgoing, incoming, size(), size()};
  }
  template <class T>
  std::vector<T> own_block(const ragged<T>& mine) const {
    detail::check_room(mine.size(), size());
    return std::vector<T>(mine[rank()].size());
  }
  template <class In>
  static auto result_like(const In& mine) {
    return detail::shape<std::remove_cvref_t<In>>::like(mine);
  }
};

}  // namespace antiphon
