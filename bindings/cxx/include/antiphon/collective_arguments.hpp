// The arguments of collectives, once for all procedures that take them (ways.hpp), and for communicators and
// neighbourhoods alike. What is wrong with the buffers is said here, before MPI has them.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "error.hpp"
#include "operation.hpp"
#include "options.hpp"
#include "point_to_point.hpp"
#include "ragged.hpp"
#include "ways.hpp"

namespace antiphon {

// Stands for the first buffer of a reduction where the second holds the input, too.
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

// As many elements from each: of allgather and its kin, where `parts` of them come here.
template <class In, class Out, class Call, class... Last>
int gather_parts(const In& mine, Out& all, MPI_Count parts, Call call, Last... last) {
  const const_region in = source_of(mine);
  const region out = target_of(all);
  check_room(out.count, in.count * parts);
  return call(in.address, in.count, in.type, out.address, in.count, out.type, last...);
}

// An equal part of each buffer for each: of alltoall and its kin.
template <class In, class Out, class Call>
int exchange_parts(const In& outgoing, Out& incoming, MPI_Count targets, MPI_Count sources, Call call,
                   MPI_Comm comm) {
  const const_region in = source_of(outgoing);
  const region out = target_of(incoming);
  const MPI_Count part = targets > 0 ? in.count / targets : sources > 0 ? out.count / sources : 0;
  check_room(in.count, part * targets);
  check_room(out.count, part * sources);
  return call(in.address, part, in.type, out.address, part, out.type, comm);
}

// Blocks of any length: of allgatherv and its kin.
template <class In, class T, class Call, class... Last>
int gather_blocks(const In& mine, ragged<T>& all, Call call, Last... last) {
  const const_region in = source_of(mine);
  return call(in.address, in.count, in.type, static_cast<void*>(all.values().data()), all.counts().data(),
              all.offsets().data(), in.type, last...);
}

// A block for each: of alltoallv and its kin.
template <class T, class Call>
int exchange_blocks(const ragged<T>& outgoing, ragged<T>& incoming, MPI_Count targets, MPI_Count sources, Call call,
                    MPI_Comm comm) {
  check_room(outgoing.size(), targets);
  check_room(incoming.size(), sources);
  const MPI_Datatype type = datatype_of<T>();
  return call(static_cast<const void*>(outgoing.values().data()), outgoing.counts().data(), outgoing.offsets().data(),
              type, static_cast<void*>(incoming.values().data()), incoming.counts().data(), incoming.offsets().data(),
              type, comm);
}

// A region for each, as alltoallw and its kin take them: a buffer, from which each has a displacement.
class placed_regions {
 public:
  template <class Regions>
  explicit placed_regions(const Regions& regions) {
    static_assert(explicit_region<element_of<const Regions>>,
                  "a buffer of its own type for each rank is said by regions: std::vector<antiphon::region>");
    if constexpr (explicit_region<element_of<const Regions>>)
      for (const auto& [address, count, type] : regions) add(address, count, type);
  }

  // Where the first region that is not empty lies. Not MPI_BOTTOM, which MPICH refuses where both sides are at it.
  [[nodiscard]] const void* buffer() const noexcept { return buffer_; }
  [[nodiscard]] MPI_Count size() const noexcept { return static_cast<MPI_Count>(counts_.size()); }
  [[nodiscard]] const MPI_Count* counts() const noexcept { return counts_.data(); }
  [[nodiscard]] const MPI_Aint* displacements() const noexcept { return displacements_.data(); }
  [[nodiscard]] const MPI_Datatype* types() const noexcept { return types_.data(); }

 private:
  void add(const void* address, MPI_Count count, MPI_Datatype type) {
    if (buffer_ == nullptr && count > 0) buffer_ = address;
    MPI_Aint here = 0, first = 0;
    check(MPI_Get_address(address, &here));
    check(MPI_Get_address(buffer_, &first));
    counts_.push_back(count);
    displacements_.push_back(count == 0 ? 0 : MPI_Aint_diff(here, first));
    types_.push_back(count == 0 ? MPI_BYTE : type);
  }

  const void* buffer_ = nullptr;
  std::vector<MPI_Count> counts_;
  std::vector<MPI_Aint> displacements_;
  std::vector<MPI_Datatype> types_;
};

// The arguments of alltoallw and its kin, which MPI reads until the operation is over.
class region_exchange {
 public:
  template <class Outgoing, class Incoming>
  region_exchange(const Outgoing& outgoing, const Incoming& incoming, MPI_Count targets, MPI_Count sources)
      : outgoing_(outgoing), incoming_(incoming) {
    static_assert(!std::is_same_v<element_of<const Incoming>, const_region>,
                  "nothing can be received into what is const");
    check_room(outgoing_.size(), targets);
    check_room(incoming_.size(), sources);
  }

  template <class Procedure, class... Last>
  int operator()(Procedure procedure, Last... last) const {
    return procedure(outgoing_.buffer(), outgoing_.counts(), outgoing_.displacements(), outgoing_.types(),
                     const_cast<void*>(incoming_.buffer()), incoming_.counts(), incoming_.displacements(),
                     incoming_.types(), last...);
  }

 private:
  placed_regions outgoing_, incoming_;
};

inline void exchange_at_once(auto procedure, const region_exchange& regions, MPI_Comm comm) {
  check(regions(procedure, comm));
}
inline future<void> exchange_in_future(auto procedure, region_exchange regions, MPI_Comm comm) {
  return future<void>({}, std::move(regions),
                      [=](auto&, auto& held, auto request) { return held(procedure, comm, request); });
}
inline auto exchange_in_rounds(auto procedure, region_exchange regions, MPI_Comm comm) {
  return persistent<nothing>({}, {}, std::move(regions), [=](auto&, auto&, auto& held, auto request) {
    return held(procedure, comm, MPI_INFO_NULL, request);
  });
}

// What results where only some ranks get a result: of a value an optional, of a range one that may be empty.
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class B>
auto result_if(bool gets_one, const B& like) {
  using Shape = shape<std::remove_cvref_t<B>>;
  if constexpr (resizable<typename Shape::type>)
    return gets_one ? Shape::like(like) : typename Shape::type();
  else
    return gets_one ? std::optional(Shape::like(like)) : std::nullopt;
}

template <class B>
region result_region(B& result) {
  if constexpr (!is_optional<B>)
    return target_of(result);
  else if (result)
    return target_of(*result);
  else
    return {};
}

// The arguments of each collective, for any of its procedures. Those without a function of the program end with the
// call that makes them, so they refer to its communicator.
inline auto gathering(const point_to_point& comm, rooted with) {
  return [&comm, with](const auto& mine, auto& all, auto call) {
    const const_region in = source_of(mine);
    const region out = target_of(all);
    if (comm.rank() == with.root) check_room(out.count, in.count * comm.size());
    return call(in.address, in.count, in.type, out.address, in.count, out.type, with.root, MPI_Comm(comm));
  };
}

inline auto allgathering(const point_to_point& comm) {
  return [&comm](const auto& mine, auto& all, auto call) {
    return gather_parts(mine, all, comm.size(), call, MPI_Comm(comm));
  };
}

inline auto gathering_blocks(const point_to_point& comm, int root) {
  return [&comm, root](const auto& mine, auto& all, auto call) {
    if (comm.rank() == root) check_room(all.size(), comm.size());
    return gather_blocks(mine, all, call, root, MPI_Comm(comm));
  };
}

inline auto allgathering_blocks(const point_to_point& comm) {
  return [&comm](const auto& mine, auto& all, auto call) {
    check_room(all.size(), comm.size());
    return gather_blocks(mine, all, call, MPI_Comm(comm));
  };
}

inline auto scattering(const point_to_point& comm, rooted with) {
  return [&comm, with](const auto& all, auto& mine, auto call) {
    const const_region in = source_of(all);
    const region out = target_of(mine);
    if (comm.rank() == with.root) check_room(in.count, out.count * comm.size());
    return call(in.address, out.count, in.type, out.address, out.count, out.type, with.root, MPI_Comm(comm));
  };
}

inline auto scattering_blocks(const point_to_point& comm, rooted with) {
  return [&comm, with]<class T>(const ragged<T>& all, auto& mine, auto call) {
    const region out = target_of(mine);
    if (comm.rank() == with.root) {
      check_room(all.size(), comm.size());
      check_room(out.count, all.counts()[static_cast<std::size_t>(with.root)]);
    }
    return call(static_cast<const void*>(all.values().data()), all.counts().data(), all.offsets().data(),
                datatype_of<T>(), out.address, out.count, out.type, with.root, MPI_Comm(comm));
  };
}

inline auto exchanging(const point_to_point& comm) {
  return [&comm](const auto& outgoing, auto& incoming, auto call) {
    const int ranks = comm.size();
    return exchange_parts(outgoing, incoming, ranks, ranks, call, MPI_Comm(comm));
  };
}

inline auto exchanging_blocks(const point_to_point& comm) {
  return [&comm](const auto& outgoing, auto& incoming, auto call) {
    const int ranks = comm.size();
    return exchange_blocks(outgoing, incoming, ranks, ranks, call, MPI_Comm(comm));
  };
}

// The function of a reduction, and what MPI is told of it.
template <class F>
class reducer {
 public:
  explicit reducer(F function) : function_(std::move(function)) {}

  // For elements of type T. From here on it must not move, if the function has state: the datatype knows where it is.
  template <class T>
  std::pair<MPI_Datatype, MPI_Op> begin(MPI_Datatype elements) {
    type_.emplace(elements, function_);
    return {type_->get(), operation_of<T>(function_)};
  }

 private:
  F function_;
  std::optional<operand_type<F>> type_;
};

// The arguments of a reduction; those with a function that has state stay as long as the operation.
template <class F, class Arguments>
auto staying_if_stateful(Arguments arguments) {
  if constexpr (stateless<F>)
    return arguments;
  else
    return staying<Arguments>{std::move(arguments)};
}

// Of all reductions of whole buffers; `last` is what comes before the communicator.
template <class F, class... Last>
auto reducing(point_to_point comm, F function, bool gets_one, Last... last) {
  return staying_if_stateful<F>([=, reducer = reducer(std::move(function))]<class In, class Out>(
                                    const In& mine, Out& result, auto call) mutable {
    const region out = result_region(result);
    if constexpr (std::is_same_v<In, in_place_buffer>) {
      // In a reduction to a root, the others have what they bring there, too.
      const void* in = gets_one || sizeof...(Last) == 0 ? MPI_IN_PLACE : out.address;
      const auto [type, operation] = reducer.template begin<element_of<Out>>(out.type);
      return call(in, out.address, out.count, type, operation, last..., MPI_Comm(comm));
    } else {
      const const_region in = source_of(mine);
      if (gets_one) check_room(out.count, in.count);
      const auto [type, operation] = reducer.template begin<element_of<In>>(in.type);
      return call(in.address, out.address, in.count, type, operation, last..., MPI_Comm(comm));
    }
  });
}
template <class F>
auto reducing_parts(point_to_point comm, F function) {
  return staying_if_stateful<F>(
      [=, reducer = reducer(std::move(function))]<class In>(const In& mine, auto& part, auto call) mutable {
        const const_region in = source_of(mine);
        const region out = target_of(part);
        check_room(in.count, out.count * comm.size());
        const auto [type, operation] = reducer.template begin<element_of<In>>(in.type);
        return call(in.address, out.address, out.count, type, operation, MPI_Comm(comm));
      });
}
template <class F>
auto reducing_blocks(point_to_point comm, F function) {
  return staying_if_stateful<F>([=, reducer = reducer(std::move(function))]<class T>(
                                    const ragged<T>& mine, std::vector<T>& block, auto call) mutable {
    const auto [type, operation] = reducer.template begin<T>(datatype_of<T>());
    return call(static_cast<const void*>(mine.values().data()), static_cast<void*>(block.data()),
                mine.counts().data(), type, operation, MPI_Comm(comm));
  });
}

}  // namespace detail
}  // namespace antiphon
