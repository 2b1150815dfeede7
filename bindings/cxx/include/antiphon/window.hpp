// Memory that other ranks may read and write: a window of elements of one type. Put and get belong to an epoch, so
// there is no way to call them outside of one, and what they brought may be used when it has ended:
//
//   auto window = comm.allocate_window<double>(100);
//   {
//     auto epoch = window.fence();                          // all ranks
//     epoch.put(std::span(row), {.to = 1, .at = 10});
//   }                                                       // all ranks: the epoch is over
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <utility>

#include "buffer.hpp"
#include "error.hpp"
#include "options.hpp"
#include "owned.hpp"

namespace antiphon {

struct put_to {
  detail::receiver to;
  MPI_Aint at = 0;  // in elements of the window
};
struct get_from {
  detail::sender from;
  MPI_Aint at = 0;
};

// A time in which a window's other end may be accessed, or its own memory is. It ends with its scope, or with end().
class [[nodiscard("an epoch ends with its scope: give it a name")]] epoch {
 public:
  epoch(MPI_Win window, int (*finish)(MPI_Win)) noexcept : window_(window), finish_(finish) {}
  epoch(epoch && other) noexcept : window_(std::exchange(other.window_, MPI_WIN_NULL)), finish_(other.finish_) {}
  epoch& operator=(epoch&&) = delete;
  epoch(const epoch&) = delete;  // an epoch ends once: std::move it
  epoch& operator=(const epoch&) = delete;
  ~epoch() { end(); }  // an error here ends the program, with its sentence

  void end() {
    if (const MPI_Win window = std::exchange(window_, MPI_WIN_NULL); window != MPI_WIN_NULL)
      detail::check(finish_(window));
  }

 protected:
  MPI_Win window_;
  int (*finish_)(MPI_Win);
};

class [[nodiscard("an epoch ends with its scope: give it a name")]] access_epoch : public epoch {
 public:
  using epoch::epoch;

  // What is put or got belongs to MPI until the epoch ends, so both take views of it.
  template <class B>
  void put(const B& from, put_to where) {
    if constexpr (explain_view<B>()) {
      const auto [address, count, type] = detail::source_of(from);
      detail::check(MPI_Put_c(address, count, type, where.to.rank, where.at, count, type, window_));
    }
  }
  template <class B>
  void get(const B& into, get_from where) {
    if constexpr (explain_view<B>()) {
      const auto [address, count, type] = detail::target_of(into);
      detail::check(MPI_Get_c(address, count, type, where.from.rank, where.at, count, type, window_));
    }
  }

 private:
  template <class B>
  static consteval bool explain_view() {
    static_assert(detail::view<B>,
                  "MPI uses this memory until the epoch ends: lend it as a std::span that outlives the epoch");
    return detail::view<B>;
  }
};

template <class T>
class window {
 public:
  using native_type = MPI_Win;
  window(MPI_Win native, std::span<T> local) noexcept : native_(native), local_(local) {}
  explicit window(MPI_Win native) noexcept : native_(native) {}
  operator MPI_Win() const noexcept { return native_; }
  static MPI_Win null() noexcept { return MPI_WIN_NULL; }
  static void free(MPI_Win& native) { detail::check(MPI_Win_free(&native)); }

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

  // This rank's own part.
  [[nodiscard]] std::span<T> local() const noexcept { return local_; }

  // Everybody may access everybody, from one fence to the next. Collective.
  access_epoch fence() const {
    detail::check(MPI_Win_fence(MPI_MODE_NOPRECEDE, native_));
    return {native_, [](MPI_Win native) { return MPI_Win_fence(MPI_MODE_NOSUCCEED, native); }};
  }
  // Access to the ranks of a group, each of which exposes its memory to this one.
  access_epoch start(MPI_Group targets) const {
    detail::check(MPI_Win_start(targets, 0, native_));
    return {native_, MPI_Win_complete};
  }
  // The other side of start: it ends when the ranks of the group have ended their access.
  epoch post(MPI_Group origins) const {
    detail::check(MPI_Win_post(origins, 0, native_));
    return {native_, MPI_Win_wait};
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

 private:
  static owned<window> made(MPI_Win native, std::span<T> local) {
    owned<window> result{window(native, local)};
    detail::check(MPI_Win_set_errhandler(native, MPI_ERRORS_RETURN));
    return result;
  }

  MPI_Win native_;
  std::span<T> local_;
};

}  // namespace antiphon
