// Memory that the ranks of a node share: each has a part, and reads and writes those of all as its own.
//
//   auto node = world.split_by_node();
//   auto window = antiphon::allocate_shared_window<double>(node, 100);
//   auto epoch = window.lock_all();
//   window.local()[0] = 1.5;
//   epoch.sync();                                  // what I wrote before the barrier, others see after it
//   node.barrier();
//   epoch.sync();
//   double theirs = window.of(right)[0];
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "communicator.hpp"
#include "error.hpp"
#include "owned.hpp"
#include "window.hpp"

namespace antiphon {

template <class T>
class shared_window : public window<T> {
 public:
  using window<T>::window;

  // The part of a rank; it may have any length, and none.
  [[nodiscard]] std::span<T> of(int rank) const {
    MPI_Aint bytes = 0, unit = 0;
    T* memory = nullptr;
    detail::check(MPI_Win_shared_query_c(*this, rank, &bytes, &unit, static_cast<void*>(&memory)));
    return {memory, static_cast<std::size_t>(bytes) / sizeof(T)};
  }
};

// `count` elements on this rank, which may be different elsewhere. All ranks of the communicator can share memory:
// it is of split_by_node(). Collective, as is the end of the window.
template <class T>
[[nodiscard]] owned<shared_window<T>> allocate_shared_window(const communicator& node, MPI_Count count) {
  static_assert(std::is_trivially_copyable_v<T>, "other processes see the bytes of these elements only");
  T* memory = nullptr;
  MPI_Win native = MPI_WIN_NULL;
  detail::check(MPI_Win_allocate_shared_c(static_cast<MPI_Aint>(sizeof(T)) * count, sizeof(T), MPI_INFO_NULL, node,
                                          static_cast<void*>(&memory), &native));
  owned<shared_window<T>> result{shared_window<T>(native, {memory, static_cast<std::size_t>(count)})};
  detail::check(MPI_Win_set_errhandler(native, MPI_ERRORS_RETURN));
  return result;
}

}  // namespace antiphon
