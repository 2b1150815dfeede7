// What all ranks of a communicator do together. Every one that has a result returns it: a vector of what the ranks
// brought, in rank order, or what a reduction makes of it, in the shape of the buffer. On ranks that get no result it
// is empty. With a second buffer the result goes there, and nothing is allocated; antiphon::in_place stands for the
// first where the second holds the input, too.
#pragma once

#include <mpi.h>

#include <utility>
#include <vector>

#include "buffer.hpp"
#include "collective_arguments.hpp"
#include "error.hpp"
#include "future.hpp"
#include "options.hpp"
#include "persistent.hpp"
#include "point_to_point.hpp"
#include "ragged.hpp"
#include "ways.hpp"

namespace antiphon {

class collectives : public point_to_point {
 public:
  using point_to_point::point_to_point;

  void barrier() const { detail::check(MPI_Barrier(*this)); }
  auto ibarrier() const {
    return future<void>({}, {}, [&](auto&, auto&, auto request) { return MPI_Ibarrier(*this, request); });
  }
  auto barrier_init() const {
    return persistent<detail::nothing>(
        {}, {}, [&](auto&, auto&, auto request) { return MPI_Barrier_init(*this, MPI_INFO_NULL, request); });
  }

  // Returns the buffer with what the root's has: a reference to an lvalue, which has the same length everywhere; a
  // view, likewise; an object that is moved in with the length of the root's. All ranks must pass it in the same way.
  template <class B>
  B bcast(B&& buffer, rooted with = {}) const {
    if constexpr (detail::given_back<B> && detail::resizable<B>) {
      MPI_Count count = static_cast<MPI_Count>(std::ranges::size(buffer));
      detail::check(MPI_Bcast_c(&count, 1, MPI_COUNT, with.root, *this));
      buffer.resize(static_cast<std::size_t>(count));
    }
    const region target = detail::target_of(buffer);
    detail::check(MPI_Bcast_c(target.address, target.count, target.type, with.root, *this));
    return std::forward<B>(buffer);
  }
  template <class... Given>
  requires detail::end_in_number<2, Given...>
  void bcast(Given&&...) const { detail::name_the_root<Given...>(); }
  // The same length everywhere.
  template <class B>
  auto ibcast(B&& buffer, rooted with = {}) const {
    if constexpr (detail::explain_keeping<B>()) {
      return future<detail::kept<B>>(
          detail::kept<B>(std::forward<B>(buffer)), {}, [&](auto& held, auto&, auto request) {
            const region target = detail::target_of(held);
            return MPI_Ibcast_c(target.address, target.count, target.type, with.root, *this, request);
          });
    }
  }
  template <class... Given>
  requires detail::end_in_number<2, Given...>
  void ibcast(Given&&...) const { detail::name_the_root<Given...>(); }
  template <class B>
  auto bcast_init(B&& buffer, rooted with = {}) const {
    if constexpr (detail::explain_keeping<B>()) {
      return persistent<detail::kept<B>>(detail::kept<B>(std::forward<B>(buffer)), {},
                                         [&](auto& held, auto&, auto request) {
                                           const region target = detail::target_of(held);
                                           return MPI_Bcast_init_c(target.address, target.count, target.type,
                                                                   with.root, *this, MPI_INFO_NULL, request);
                                         });
    }
  }

  // As many elements from each rank; or an object from each, of any length.
  template <class B>
  auto gather(const B& mine, rooted with = {}) const {
    if constexpr (detail::of_any_length<B>) {
      return B::values(gatherv(mine, {.root = with.root}));
    } else {
      std::vector<detail::element_of<const B>> all;
      if (rank() == with.root) all.resize(room_for(detail::source_of(mine).count));
      gather(mine, all, with);
      return all;
    }
  }
  template <class In, class Out>
  void gather(const In& mine, Out&& all, rooted with = {}) const {
    detail::explain_result<Out>();
    detail::at_once(MPI_Gather_c, mine, all, detail::gathering(*this, with));
  }

  template <class B>
  auto allgather(const B& mine) const {
    if constexpr (detail::of_any_length<B>) {
      return B::values(allgatherv(mine));
    } else {
      std::vector<detail::element_of<const B>> all(room_for(detail::source_of(mine).count));
      allgather(mine, all);
      return all;
    }
  }
  template <class In, class Out>
  void allgather(const In& mine, Out&& all) const {
    detail::explain_result<Out>();
    detail::at_once(MPI_Allgather_c, mine, all, detail::allgathering(*this));
  }

  // Any number of elements from each rank. The counts are gathered first, unless the ranks say them.
  template <class B>
  auto gatherv(const B& mine, rooted_with_counts with = {}) const {
    ragged<detail::element_of<const B>> all(
        with.counts.said_or([&] { return gather(detail::source_of(mine).count, {.root = with.root}); }));
    detail::at_once(MPI_Gatherv_c, mine, all, detail::gathering_blocks(*this, with.root));
    return all;
  }
  template <class... Given>
  requires detail::end_in_number<2, Given...>
  void gatherv(const Given&...) const { detail::name_the_root<Given...>(); }
  template <class B>
  auto allgatherv(const B& mine, with_counts with = {}) const {
    ragged<detail::element_of<const B>> all(
        with.counts.said_or([&] { return allgather(detail::source_of(mine).count); }));
    detail::at_once(MPI_Allgatherv_c, mine, all, detail::allgathering_blocks(*this));
    return all;
  }

  // An equal part of the root's buffer for each rank. How long a part is, the root tells first.
  template <class B>
  auto scatter(const B& all, rooted with = {}) const {
    const const_region in = detail::source_of(all);
    const MPI_Count parts = size();
    MPI_Count count = rank() == with.root ? (in.count % parts == 0 ? in.count / parts : -1) : 0;
    bcast(count, with);
    if (count < 0) throw error(MPI_ERR_COUNT, "the root's buffer has no equal part for each rank: see scatterv");
    std::vector<detail::element_of<const B>> mine(static_cast<std::size_t>(count));
    scatter(all, mine, with);
    return mine;
  }
  // Each rank knows the length of its part.
  template <class In, class Out>
  void scatter(const In& all, Out&& mine, rooted with = {}) const {
    detail::explain_result<Out>();
    detail::at_once(MPI_Scatter_c, all, mine, detail::scattering(*this, with));
  }
  template <class T>
  std::vector<T> scatterv(const ragged<T>& all, rooted with = {}) const {
    MPI_Count count = 0;
    scatter(all.counts(), count, with);
    std::vector<T> mine(static_cast<std::size_t>(count));
    detail::at_once(MPI_Scatterv_c, all, mine, detail::scattering_blocks(*this, with));
    return mine;
  }
  template <class... Given>
  requires detail::end_in_number<2, Given...>
  void scatterv(const Given&...) const { detail::name_the_root<Given...>(); }

  // An equal part of each rank's buffer for each rank.
  template <class B>
  auto alltoall(const B& outgoing) const {
    std::vector<detail::element_of<const B>> incoming(static_cast<std::size_t>(detail::source_of(outgoing).count));
    alltoall(outgoing, incoming);
    return incoming;
  }
  template <class In, class Out>
  void alltoall(const In& outgoing, Out&& incoming) const {
    detail::explain_result<Out>();
    detail::at_once(MPI_Alltoall_c, outgoing, incoming, detail::exchanging(*this));
  }
  // Block r goes to rank r. The counts are exchanged first.
  template <class T>
  ragged<T> alltoallv(const ragged<T>& outgoing) const {
    detail::check_room(outgoing.size(), size());
    ragged<T> incoming(alltoall(outgoing.counts()));
    detail::at_once(MPI_Alltoallv_c, outgoing, incoming, detail::exchanging_blocks(*this));
    return incoming;
  }

  // Reductions combine the ranks' elements one by one. Of a value, reduce and exscan return an optional, which is
  // empty on the ranks that get none; of a range, an empty vector.
  template <class B, class F>
  auto allreduce(const B& mine, F operation) const {
    auto result = detail::shape<B>::like(mine);
    allreduce(mine, result, operation);
    return result;
  }
  template <class In, class Out, class F>
  void allreduce(const In& mine, Out&& result, F operation) const {
    detail::explain_result<Out>();
    detail::at_once(MPI_Allreduce_c, mine, result, detail::reducing(*this, operation, true));
  }
  template <class B, class F>
  auto reduce(const B& mine, F operation, rooted with = {}) const {
    auto result = detail::result_if(rank() == with.root, mine);
    reduce(mine, result, operation, with);
    return result;
  }
  template <class In, class Out, class F>
  void reduce(const In& mine, Out&& result, F operation, rooted with = {}) const {
    detail::explain_result<Out>();
    detail::at_once(MPI_Reduce_c, mine, result, detail::reducing(*this, operation, rank() == with.root, with.root));
  }

  // Rank r gets what ranks 0 to r make together.
  template <class B, class F>
  auto scan(const B& mine, F operation) const {
    auto result = detail::shape<B>::like(mine);
    scan(mine, result, operation);
    return result;
  }
  template <class In, class Out, class F>
  void scan(const In& mine, Out&& result, F operation) const {
    detail::explain_result<Out>();
    detail::at_once(MPI_Scan_c, mine, result, detail::reducing(*this, operation, true));
  }
  // Rank r gets what ranks 0 to r - 1 make together, rank 0 nothing.
  template <class B, class F>
  auto exscan(const B& mine, F operation) const {
    const bool gets_one = rank() != 0;
    auto result = detail::result_if(gets_one, mine);
    detail::at_once(MPI_Exscan_c, mine, result, detail::reducing(*this, operation, gets_one));
    return result;
  }

 private:
  std::size_t room_for(MPI_Count count) const { return static_cast<std::size_t>(count * size()); }
};

}  // namespace antiphon
