// Some processes in an order, of which windows are told whom they deal with. It is made of a communicator:
// comm.group_of({0, 2}).
#pragma once

#include <mpi.h>

#include "error.hpp"
#include "options.hpp"
#include "owned.hpp"

namespace antiphon {

class group {
 public:
  using native_type = MPI_Group;
  group(MPI_Group native) noexcept : native_(native) {}
  // Not of an owner that is about to go.
  template <class Owner>
  requires detail::is_owned<Owner> group(Owner&&) : group(null()) {
    static_assert(
        detail::never<Owner>,
        "this group ends at once, and the view of it would stay: keep its owner, auto group = comm.group_of(ranks);");
  }
  operator MPI_Group() const noexcept { return native_; }
  static MPI_Group null() noexcept { return MPI_GROUP_NULL; }
  static void free(MPI_Group& native) { detail::check(MPI_Group_free(&native)); }

 private:
  MPI_Group native_;
};

}  // namespace antiphon
