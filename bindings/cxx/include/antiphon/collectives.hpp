// What all ranks of a communicator do together. Every one that has a result returns it: a vector of what the ranks
// brought, in rank order, or what a reduction makes of it, in the shape of the buffer. On ranks that get no result it
// is empty. With a second buffer the result goes there, and nothing is allocated; antiphon::in_place stands for the
// first where the second holds the input, too.
#pragma once

#include <mpi.h>

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "error.hpp"
#include "future.hpp"
#include "operation.hpp"
#include "options.hpp"
#include "point_to_point.hpp"
#include "ragged.hpp"

namespace antiphon {

struct in_place_buffer {};
inline constexpr in_place_buffer in_place{};

namespace detail {

// What a reduction of a buffer returns: a value for a value, an array for an array, a vector for other ranges.
template <class B>
struct shape {
  using type = B;
  static type like(const B&) { return type{}; }
};
template <contiguous B>
struct shape<B> {
  using type = std::conditional_t<array<B>, std::array<element_of<B>, array_length<B>>, std::vector<element_of<B>>>;
  static type like(const B& buffer) {
    if constexpr (array<B>)
      return {};
    else
      return type(std::ranges::size(buffer));
  }
};

// Stops the compiler where a result would go to an object that ends with the call; it may be a root without its name.
template <class Out>
consteval void explain_result() {
  static_assert(!given_back<Out>,
                "the result goes into the second buffer, so it is an lvalue or a std::span; if this is the root, it "
                "has a name: say {.root = rank}");
}

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_with_counts(MPI_Count has, MPI_Count needs) {
  throw error(MPI_ERR_COUNT,
              "a buffer of " + std::to_string(has) + " elements for a result of " + std::to_string(needs));
}
inline void check_room(MPI_Count has, MPI_Count needs) {
  if (has != needs) [[unlikely]]
    fail_with_counts(has, needs);
}

// What a call for a reduction is given.
template <class F>
struct reduction {
  const void* in;
  void* out;
  MPI_Count count;
  operand_type<F> type;
  MPI_Op operation;
};
template <class In, class Out, class F>
reduction<F> reduction_of(const In& mine, Out& result, const F& function) {
  const region out = target_of(result);
  const MPI_Op operation = operation_of<element_of<Out>>(function);
  const void* in = MPI_IN_PLACE;
  if constexpr (!std::is_same_v<In, in_place_buffer>) {
    const const_region source = source_of(mine);
    check_room(out.count, source.count);
    in = source.address;
  }
  return {in, out.address, out.count, operand_type<F>(out.type, function), operation};
}

// What a reduction that does not block needs until it is over: the buffer, unless somebody else has it, and a
// function with state.
template <class Buffer, class F>
struct reduction_under_way {
  Buffer buffer;
  F function;
  std::optional<reduction<F>> call = std::nullopt;

  template <class In, class Out>
  const reduction<F>& begin(const In& mine, Out& result) {
    return call.emplace(reduction_of(mine, result, function));
  }
};
template <class Buffer, stateless F>
inline constexpr bool keeps_nothing<reduction_under_way<Buffer, F>> = keeps_nothing<Buffer>;

}  // namespace detail

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
    const const_region in = detail::source_of(mine);
    const region out = detail::target_of(all);
    if (rank() == with.root) detail::check_room(out.count, in.count * size());
    detail::check(MPI_Gather_c(in.address, in.count, in.type, out.address, in.count, out.type, with.root, *this));
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
    const const_region in = detail::source_of(mine);
    const region out = detail::target_of(all);
    detail::check_room(out.count, in.count * size());
    detail::check(MPI_Allgather_c(in.address, in.count, in.type, out.address, in.count, out.type, *this));
  }
  template <class B>
  auto iallgather(B&& mine) const {
    if constexpr (detail::explain_keeping<B>()) {
      using All = std::vector<detail::element_of<B>>;
      All all(room_for(detail::source_of(mine).count));  // before the buffer moves
      return future<All>(
          std::move(all), detail::kept<B>(std::forward<B>(mine)), [&](auto& result, auto& held, auto request) {
            const const_region in = detail::source_of(held);
            return MPI_Iallgather_c(in.address, in.count, in.type, result.data(), in.count, in.type, *this, request);
          });
    }
  }

  // Any number of elements from each rank. The counts are gathered first, unless the ranks say them.
  template <class B>
  auto gatherv(const B& mine, rooted_with_counts with = {}) const {
    const const_region in = detail::source_of(mine);
    ragged<detail::element_of<const B>> all(
        with.counts.said_or([&] { return gather(in.count, {.root = with.root}); }));
    if (rank() == with.root) detail::check_room(all.size(), size());
    detail::check(MPI_Gatherv_c(in.address, in.count, in.type, all.values().data(), all.counts().data(),
                                all.offsets().data(), in.type, with.root, *this));
    return all;
  }
  template <class... Given>
  requires detail::end_in_number<2, Given...>
  void gatherv(const Given&...) const { detail::name_the_root<Given...>(); }
  template <class B>
  auto allgatherv(const B& mine, with_counts with = {}) const {
    const const_region in = detail::source_of(mine);
    ragged<detail::element_of<const B>> all(with.counts.said_or([&] { return allgather(in.count); }));
    detail::check_room(all.size(), size());
    detail::check(MPI_Allgatherv_c(in.address, in.count, in.type, all.values().data(), all.counts().data(),
                                   all.offsets().data(), in.type, *this));
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
    detail::check(MPI_Scatter_c(in.address, count, in.type, mine.data(), count, in.type, with.root, *this));
    return mine;
  }
  // Each rank knows the length of its part.
  template <class In, class Out>
  void scatter(const In& all, Out&& mine, rooted with = {}) const {
    detail::explain_result<Out>();
    const const_region in = detail::source_of(all);
    const region out = detail::target_of(mine);
    if (rank() == with.root) detail::check_room(in.count, out.count * size());
    detail::check(MPI_Scatter_c(in.address, out.count, in.type, out.address, out.count, out.type, with.root, *this));
  }
  template <class T>
  std::vector<T> scatterv(const ragged<T>& all, rooted with = {}) const {
    if (rank() == with.root) detail::check_room(all.size(), size());
    MPI_Count count = 0;
    scatter(all.counts(), count, with);
    std::vector<T> mine(static_cast<std::size_t>(count));
    detail::check(MPI_Scatterv_c(all.values().data(), all.counts().data(), all.offsets().data(), datatype_of<T>(),
                                 mine.data(), count, datatype_of<T>(), with.root, *this));
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
    const const_region in = detail::source_of(outgoing);
    const region out = detail::target_of(incoming);
    const MPI_Count part = in.count / size();
    detail::check_room(in.count, part * size());
    detail::check_room(out.count, in.count);
    detail::check(MPI_Alltoall_c(in.address, part, in.type, out.address, part, out.type, *this));
  }
  // Block r goes to rank r. The counts are exchanged first.
  template <class T>
  ragged<T> alltoallv(const ragged<T>& outgoing) const {
    detail::check_room(outgoing.size(), size());
    ragged<T> incoming(alltoall(outgoing.counts()));
    detail::check(MPI_Alltoallv_c(outgoing.values().data(), outgoing.counts().data(), outgoing.offsets().data(),
                                  datatype_of<T>(), incoming.values().data(), incoming.counts().data(),
                                  incoming.offsets().data(), datatype_of<T>(), *this));
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
    const auto call = detail::reduction_of(mine, result, operation);
    detail::check(MPI_Allreduce_c(call.in, call.out, call.count, call.type.get(), call.operation, *this));
  }
  template <class B, class F>
  auto iallreduce(B&& mine, F operation) const {
    if constexpr (detail::explain_keeping<B>()) {
      using Shape = detail::shape<std::remove_cvref_t<B>>;
      typename Shape::type shape = Shape::like(mine);  // before the buffer moves
      using Kept = detail::reduction_under_way<detail::kept<B>, F>;
      return future<typename Shape::type>(
          std::move(shape), Kept{std::forward<B>(mine), operation}, [&](auto& result, auto& kept, auto request) {
            const auto& call = kept.begin(kept.buffer, result);
            return MPI_Iallreduce_c(call.in, call.out, call.count, call.type.get(), call.operation, *this, request);
          });
    }
  }

  // Again and again; each round reduces what buffer() has into result().
  template <class B, class F>
  auto allreduce_init(B&& mine, F operation) const {
    if constexpr (detail::explain_keeping<B>()) {
      using Shape = detail::shape<std::remove_cvref_t<B>>;
      typename Shape::type shape = Shape::like(mine);  // before the buffer moves
      using Kept = detail::reduction_under_way<detail::nothing, F>;
      return persistent<detail::kept<B>, typename Shape::type>(
          detail::kept<B>(std::forward<B>(mine)), std::move(shape), Kept{{}, operation},
          [&](auto& held, auto& result, auto& kept, auto request) {
            const auto& call = kept.begin(held, result);
            return MPI_Allreduce_init_c(call.in, call.out, call.count, call.type.get(), call.operation, *this,
                                        MPI_INFO_NULL, request);
          });
    }
  }

  template <class B, class F>
  auto reduce(const B& mine, F operation, rooted with = {}) const {
    auto result = detail::shape<B>::like(mine);
    reduce(mine, result, operation, with);
    return only_if(rank() == with.root, std::move(result));
  }
  template <class In, class Out, class F>
  void reduce(const In& mine, Out&& result, F operation, rooted with = {}) const {
    detail::explain_result<Out>();
    const auto call = detail::reduction_of(mine, result, operation);
    detail::check(MPI_Reduce_c(call.in, call.out, call.count, call.type.get(), call.operation, with.root, *this));
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
    const auto call = detail::reduction_of(mine, result, operation);
    detail::check(MPI_Scan_c(call.in, call.out, call.count, call.type.get(), call.operation, *this));
  }
  // Rank r gets what ranks 0 to r - 1 make together, rank 0 nothing.
  template <class B, class F>
  auto exscan(const B& mine, F operation) const {
    auto result = detail::shape<B>::like(mine);
    const auto call = detail::reduction_of(mine, result, operation);
    detail::check(MPI_Exscan_c(call.in, call.out, call.count, call.type.get(), call.operation, *this));
    return only_if(rank() != 0, std::move(result));
  }

 private:
  std::size_t room_for(MPI_Count count) const { return static_cast<std::size_t>(count * size()); }

  template <class T>
  static auto only_if(bool mine, T&& result) {
    if constexpr (detail::resizable<T>) {
      if (!mine) result.clear();
      return std::move(result);
    } else {
      return mine ? std::optional<T>(std::move(result)) : std::nullopt;
    }
  }
};

}  // namespace antiphon
