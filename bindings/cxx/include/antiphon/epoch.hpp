// The times in which windows are accessed. What reads or writes another rank's memory belongs to an epoch object, so
// there is no way to call it outside of one; the epoch ends with its scope, an exception's way out of it included.
//
//   access_epoch    from fence or start: what was got may be used when the epoch has ended
//   lock_epoch      from lock or lock_all, in which the other side takes no part: also what is over at once (the
//                   atomic operations on a value), when flush() returns, or when a future is (rput and its kin)
//   exposure_epoch  from post: the other side of start
#pragma once

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "buffer.hpp"
#include "collectives.hpp"
#include "error.hpp"
#include "future.hpp"
#include "operation.hpp"
#include "options.hpp"

namespace antiphon {

struct put_to {
  detail::receiver to;
  MPI_Aint at = 0;  // in elements of the window
};
struct get_from {
  detail::sender from;
  MPI_Aint at = 0;
};

enum class lock_kind : int { exclusive = MPI_LOCK_EXCLUSIVE, shared = MPI_LOCK_SHARED };

// What only windows' operations are: the new value instead of the old one, and the old one as it is.
struct replace {};
struct no_op {};

namespace detail {

struct owner {
  int rank;
  constexpr owner(int of) noexcept : rank(of) {}
  template <class T = void>
  constexpr owner() : rank(null_process) {
    static_assert(never<T>, "whose memory? say {.of = rank}, or lock_all()");
  }
};

// MPI's operation on a window's elements of type T. Others combine there what comes, so the program's functions
// cannot.
template <class T, class F>
MPI_Op window_operation(const F&) {
  static_assert(predefined<T>, "in a window MPI combines numbers only: arithmetic types, not structs of them");
  if constexpr (!predefined<T>) {
    return MPI_OP_NULL;
  } else if constexpr (std::same_as<F, replace>) {
    return MPI_REPLACE;
  } else if constexpr (std::same_as<F, no_op>) {
    return MPI_NO_OP;
  } else {
    constexpr bool known = !std::same_as<decltype(predefined_operation<F, T>()), none>;
    static_assert(known,
                  "in a window of another process only MPI's own operations work: std::plus and its kin, "
                  "antiphon::minimum, maximum, replace and no_op");
    if constexpr (known)
      return predefined_operation<F, T>();
    else
      return MPI_OP_NULL;
  }
}

}  // namespace detail

struct lock_of {
  detail::owner of;
  lock_kind kind = lock_kind::exclusive;
};

// Ends once, with its scope or with end().
class [[nodiscard("an epoch ends with its scope: give it a name")]] epoch {
 public:
  // finish(window, rank) ends it.
  epoch(MPI_Win window, int (*finish)(MPI_Win, int), int rank = MPI_PROC_NULL) noexcept
      : window_(window), finish_(finish), rank_(rank) {}
  epoch(epoch && other) noexcept
      : window_(std::exchange(other.window_, MPI_WIN_NULL)), finish_(other.finish_), rank_(other.rank_) {}
  epoch& operator=(epoch&&) = delete;
  epoch(const epoch&) = delete;  // an epoch ends once: std::move it
  epoch& operator=(const epoch&) = delete;
  ~epoch() { end(); }  // an error here ends the program, with its sentence

  void end() {
    if (const MPI_Win window = std::exchange(window_, MPI_WIN_NULL); window != MPI_WIN_NULL)
      detail::check(finish_(window, rank_));
  }

 protected:
  MPI_Win window_;  // null when the epoch has ended
  int (*finish_)(MPI_Win, int);
  int rank_;  // whose memory is locked, if one rank's is
};

// In which ranks access this one's memory.
class [[nodiscard("an epoch ends with its scope: give it a name")]] exposure_epoch : public epoch {
 public:
  using epoch::epoch;

  // Whether it is over; never waits.
  [[nodiscard]] bool ready() {
    if (window_ == MPI_WIN_NULL) return true;
    int over = 0;
    detail::check(MPI_Win_test(window_, &over));
    if (over) window_ = MPI_WIN_NULL;
    return over;
  }
};

// In which this rank accesses others' elements, of type T. Buffers are MPI's until the epoch ends, so they are views.
template <class T>
class [[nodiscard("an epoch ends with its scope: give it a name")]] access_epoch : public epoch {
 public:
  using epoch::epoch;

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

  // Combines elements there with these, one by one, in one step each: no other operation of this kind comes between.
  template <class B, class F>
  void accumulate(const B& from, F operation, put_to where) {
    if constexpr (explain_view<B>()) {
      const auto [address, count, type] = detail::source_of(from);
      detail::check(MPI_Accumulate_c(address, count, type, where.to.rank, where.at, count, type,
                                     detail::window_operation<detail::element_of<B>>(operation), window_));
    }
  }
  // The same, and gets the elements as they were before.
  template <class B, class C, class F>
  void get_accumulate(const B& from, const C& into, F operation, put_to where) {
    if constexpr (explain_view<B>() && explain_view<C>()) {
      const auto [address, count, type] = detail::source_of(from);
      const region old = detail::target_of(into);
      detail::check_room(old.count, count);
      detail::check(MPI_Get_accumulate_c(address, count, type, old.address, count, type, where.to.rank, where.at,
                                         count, type, detail::window_operation<detail::element_of<B>>(operation),
                                         window_));
    }
  }

 protected:
  // Bytes may be anything's; where elements have another type than the window's, they do not lie where it counts
  // them.
  template <class B>
  static consteval bool explain_elements() {
    constexpr bool same =
        detail::explicit_region<B> || std::same_as<T, std::byte> || std::same_as<detail::element_of<B>, T>;
    static_assert(same, "this buffer's elements have another type than those of the window");
    return same;
  }

 private:
  template <class B>
  static consteval bool explain_view() {
    static_assert(detail::view<B>,
                  "MPI uses this memory until the epoch ends: lend it as a std::span that outlives the epoch");
    if constexpr (detail::view<B>)
      return explain_elements<B>();
    else
      return false;
  }
};

// In which this rank accesses the memory of one rank, or of any, and they take no part.
template <class T>
class [[nodiscard("an epoch ends with its scope: give it a name")]] lock_epoch : public access_epoch<T> {
  using base = access_epoch<T>;

 public:
  using base::base;

  // Combines an element with this value in one step, and returns what it was before.
  template <class F>
  T fetch_and_op(const T& value, F operation, put_to where) {
    T before{};
    detail::check(MPI_Fetch_and_op(&value, &before, datatype_of<T>(), where.to.rank, where.at,
                                   detail::window_operation<T>(operation), this->window_));
    flush(where.to.rank);
    return before;
  }
  // Writes `desired` if the element is `expected`, in one step, and returns what it was before.
  T compare_and_swap(const T& expected, const T& desired, put_to where) {
    static_assert((std::integral<T> && !std::same_as<T, char>) || std::is_enum_v<T>,
                  "MPI compares and swaps integers, bools and bytes only, no other types");
    T before{};
    detail::check(
        MPI_Compare_and_swap(&desired, &expected, &before, datatype_of<T>(), where.to.rank, where.at, this->window_));
    flush(where.to.rank);
    return before;
  }

  // In futures: what was sent may be used again, what was asked for has come. That what was sent has arrived, flush()
  // says.
  template <class B>
  auto rput(B && from, put_to where) {
    if constexpr (explain_keeping<B>()) {
      return future<detail::kept<B>>(
          detail::kept<B>(std::forward<B>(from)), {}, [&](auto& held, auto&, auto request) {
            const auto [address, count, type] = detail::source_of(held);
            return MPI_Rput_c(address, count, type, where.to.rank, where.at, count, type, this->window_, request);
          });
    }
  }
  template <class B>
  auto rget(B && into, get_from where) {
    if constexpr (explain_keeping<B>()) {
      return future<detail::kept<B>>(
          detail::kept<B>(std::forward<B>(into)), {}, [&](auto& held, auto&, auto request) {
            const auto [address, count, type] = detail::target_of(held);
            return MPI_Rget_c(address, count, type, where.from.rank, where.at, count, type, this->window_, request);
          });
    }
  }
  template <class B, class F>
  auto raccumulate(B && from, F operation, put_to where) {
    if constexpr (explain_keeping<B>()) {
      return future<detail::kept<B>>(
          detail::kept<B>(std::forward<B>(from)), {}, [&](auto& held, auto&, auto request) {
            const auto [address, count, type] = detail::source_of(held);
            return MPI_Raccumulate_c(address, count, type, where.to.rank, where.at, count, type,
                                     detail::window_operation<detail::element_of<B>>(operation), this->window_,
                                     request);
          });
    }
  }
  // get() returns the elements as they were before, in `into`.
  template <class B, class C, class F>
  auto rget_accumulate(B && from, C && into, F operation, put_to where) {
    if constexpr (explain_keeping<B>() && explain_keeping<C>()) {
      return future<detail::kept<C>>(detail::kept<C>(std::forward<C>(into)), detail::kept<B>(std::forward<B>(from)),
                                     [&](auto& old, auto& held, auto request) {
                                       const auto [address, count, type] = detail::source_of(held);
                                       const region before = detail::target_of(old);
                                       detail::check_room(before.count, count);
                                       return MPI_Rget_accumulate_c(
                                           address, count, type, before.address, count, type, where.to.rank, where.at,
                                           count, type, detail::window_operation<detail::element_of<B>>(operation),
                                           this->window_, request);
                                     });
    }
  }

  // Returns when all operations so far are over, here and there: those on one rank's memory, or on everybody's.
  void flush(int rank) { detail::check(MPI_Win_flush(rank, this->window_)); }
  void flush() {
    detail::check(locks_all() ? MPI_Win_flush_all(this->window_) : MPI_Win_flush(this->rank_, this->window_));
  }
  // Returns when they are over here: what was sent may be used again, what was asked for has come.
  void flush_local(int rank) { detail::check(MPI_Win_flush_local(rank, this->window_)); }
  void flush_local() {
    detail::check(locks_all() ? MPI_Win_flush_local_all(this->window_)
                              : MPI_Win_flush_local(this->rank_, this->window_));
  }
  // Makes what this rank has written into its own part, or into shared memory, and what others have, seen by both.
  void sync() { detail::check(MPI_Win_sync(this->window_)); }

 private:
  [[nodiscard]] bool locks_all() const noexcept { return this->rank_ == MPI_PROC_NULL; }

  template <class B>
  static consteval bool explain_keeping() {
    if constexpr (detail::explain_keeping<B>())
      return base::template explain_elements<std::remove_cvref_t<B>>();
    else
      return false;
  }
};

}  // namespace antiphon
