// Memory that other ranks may read and write: a window of elements of one type. They do so in epochs (epoch.hpp):
//
//   auto window = comm.allocate_window<double>(100);
//   {
//     auto epoch = window.fence();                          // all ranks
//     epoch.put(std::span(row), {.to = 1, .at = 10});
//   }                                                       // all ranks: the epoch is over
//   {
//     auto lock = window.lock({.of = 1});                   // this rank alone
//     const double before = lock.fetch_and_op(0.5, std::plus{}, {.to = 1, .at = 3});
//   }
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <utility>

#include "epoch.hpp"
#include "error.hpp"
#include "group.hpp"
#include "options.hpp"
#include "owned.hpp"

namespace antiphon {

class communicator;

template <class T>
class window {
 public:
  using native_type = MPI_Win;
  window(MPI_Win native, std::span<T> local) noexcept : native_(native), local_(local) {}
  explicit window(MPI_Win native) noexcept : native_(native) {}
  // Not of an owner that is about to go, of whatever kind of window.
  template <class Owner>
  requires detail::is_owned<Owner> window(Owner&&) : window(null()) {
    static_assert(
        detail::never<Owner>,
        "this window ends at once, and the view of it would stay: keep its owner, auto window = comm.expose(span);");
  }
  operator MPI_Win() const noexcept { return native_; }
  static MPI_Win null() noexcept { return MPI_WIN_NULL; }
  static void free(MPI_Win& native) { detail::check(MPI_Win_free(&native)); }

  // This rank's own part.
  [[nodiscard]] std::span<T> local() const noexcept { return local_; }

  // Everybody may access everybody, from one fence to the next. Collective.
  access_epoch<T> fence() const {
    detail::check(MPI_Win_fence(MPI_MODE_NOPRECEDE, native_));
    return {native_, [](MPI_Win native, int) { return MPI_Win_fence(MPI_MODE_NOSUCCEED, native); }};
  }
  // Access to the ranks of a group, each of which exposes its memory to this one.
  access_epoch<T> start(const group& targets) const {
    detail::check(MPI_Win_start(targets, 0, native_));
    return {native_, [](MPI_Win native, int) { return MPI_Win_complete(native); }};
  }
  // The other side of start: it ends when the ranks of the group have ended their access.
  exposure_epoch post(const group& origins) const {
    detail::check(MPI_Win_post(origins, 0, native_));
    return {native_, [](MPI_Win native, int) { return MPI_Win_wait(native); }};
  }
  // Access to one rank's memory, with nobody else, or with others who share the lock. That rank takes no part.
  lock_epoch<T> lock(lock_of which) const {
    detail::check(MPI_Win_lock(static_cast<int>(which.kind), which.of.rank, 0, native_));
    return {native_, [](MPI_Win native, int rank) { return MPI_Win_unlock(rank, native); }, which.of.rank};
  }
  // Access to everybody's memory, shared with others.
  lock_epoch<T> lock_all() const {
    detail::check(MPI_Win_lock_all(0, native_));
    return {native_, [](MPI_Win native, int) { return MPI_Win_unlock_all(native); }};
  }

  template <class B>
  void put(const B&, put_to) const {
    static_assert(detail::never<B>,
                  "put belongs to an epoch: auto epoch = window.fence(); epoch.put(view, {.to = rank, .at = index})");
  }
  template <class B>
  void get(const B&, get_from) const {
    static_assert(
        detail::never<B>,
        "get belongs to an epoch: auto epoch = window.fence(); epoch.get(view, {.from = rank, .at = index})");
  }

  template <class B, class F>
  void accumulate(const B&, F, put_to) const {
    static_assert(detail::never<B>,
                  "accumulate belongs to an epoch: auto epoch = window.fence(); epoch.accumulate(view, std::plus{}, "
                  "{.to = rank})");
  }
  template <class F>
  T fetch_and_op(const T& value, F, put_to) const {
    static_assert(detail::never<F>,
                  "fetch_and_op belongs to a lock: auto lock = window.lock_all(); lock.fetch_and_op(value, "
                  "std::plus{}, {.to = rank})");
    return value;
  }

 private:
  friend class communicator;  // which makes windows

  // Collective, as is the end of the window.
  static owned<window> allocate(MPI_Comm comm, MPI_Count count) {
    T* memory = nullptr;
    MPI_Win native = MPI_WIN_NULL;
    detail::check(MPI_Win_allocate_c(static_cast<MPI_Aint>(sizeof(T)) * count, sizeof(T), MPI_INFO_NULL, comm,
                                     static_cast<void*>(&memory), &native));
    return made(native, {memory, static_cast<std::size_t>(count)});
  }
  static owned<window> over(MPI_Comm comm, std::span<T> memory) {
    MPI_Win native = MPI_WIN_NULL;
    detail::check(MPI_Win_create_c(memory.data(), static_cast<MPI_Aint>(memory.size_bytes()), sizeof(T),
                                   MPI_INFO_NULL, comm, &native));
    return made(native, memory);
  }
  static owned<window> made(MPI_Win native, std::span<T> local) {
    owned<window> result{window(native, local)};
    detail::check(MPI_Win_set_errhandler(native, MPI_ERRORS_RETURN));
    return result;
  }

  MPI_Win native_;
  std::span<T> local_;
};

}  // namespace antiphon
