// Communicators, made of other communicators. All ranks of the old one take part in making and in ending one.
#pragma once

#include <mpi.h>

#include <cstdlib>
#include <initializer_list>
#include <span>

#include "error.hpp"
#include "group.hpp"
#include "nonblocking_collectives.hpp"
#include "options.hpp"
#include "owned.hpp"
#include "window.hpp"

namespace antiphon {

class communicator : public nonblocking_collectives {
 public:
  using nonblocking_collectives::nonblocking_collectives;

  // Not of an owner that is about to go, of whatever kind of communicator.
  template <class Owner>
  requires detail::is_owned<Owner> communicator(Owner&&) : nonblocking_collectives(null()) {
    static_assert(
        detail::never<Owner>,
        "this communicator ends at once, and the view of it would stay: keep its owner, auto owner = comm.dup();");
  }

  static MPI_Comm null() noexcept { return MPI_COMM_NULL; }
  static void free(MPI_Comm& native) { detail::check(MPI_Comm_free(&native)); }

  // Whether this rank has one: split leaves some without.
  explicit operator bool() const noexcept { return *this != null(); }

  [[nodiscard]] owned<communicator> dup() const {
    MPI_Comm result = MPI_COMM_NULL;
    detail::check(MPI_Comm_dup(*this, &result));
    return owned(communicator(result));
  }
  [[nodiscard]] owned<communicator> split(coloring by) const {
    MPI_Comm result = MPI_COMM_NULL;
    detail::check(MPI_Comm_split(*this, by.color, by.key, &result));
    return owned(communicator(result));
  }
  template <class... Given>
  requires detail::end_in_number<1, Given...>
  void split(Given...) const {
    static_assert(detail::never<Given...>, "color and key have names: say split({.color = 1, .key = 0})");
  }
  // The ranks that can share memory with this one.
  [[nodiscard]] owned<communicator> split_by_node() const {
    MPI_Comm result = MPI_COMM_NULL;
    detail::check(MPI_Comm_split_type(*this, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &result));
    return owned(communicator(result));
  }

  [[nodiscard]] owned<group> group_of(std::span<const int> ranks) const {
    MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
    detail::check(MPI_Comm_group(*this, &all));
    const owned<group> holder{group(all)};
    detail::check(MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some));
    return owned(group(some));
  }
  [[nodiscard]] owned<group> group_of(std::initializer_list<int> ranks) const {
    return group_of(std::span(ranks.begin(), ranks.size()));
  }

  // A window of `count` elements on this rank, in memory of its own. Collective.
  template <class T>
  [[nodiscard]] owned<window<T>> allocate_window(MPI_Count count) const {
    return window<T>::allocate(*this, count);
  }
  // A window over memory that outlives it. Collective.
  template <class T>
  [[nodiscard]] owned<window<T>> expose(std::span<T> memory) const {
    return window<T>::over(*this, memory);
  }

  // Ends the job: all of it that MPI can reach.
  [[noreturn]] void abort(int status = 1) const {
    MPI_Abort(*this, status);
    std::abort();
  }
};

}  // namespace antiphon
