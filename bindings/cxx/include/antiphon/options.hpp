// What has a name in MPI has a name in the call: comm.send(x, {.to = 1, .tag = 7}). A rank that must be said, and is
// not, stops the compiler.
#pragma once

#include <mpi.h>

#include <concepts>
#include <span>
#include <type_traits>
#include <vector>

namespace antiphon {

inline constexpr int any_source = MPI_ANY_SOURCE;
inline constexpr int any_tag = MPI_ANY_TAG;
inline constexpr int null_process = MPI_PROC_NULL;  // sends to it and receives from it are over at once

namespace detail {

template <class...>
inline constexpr bool never = false;

struct receiver {
  int rank;
  constexpr receiver(int to) noexcept : rank(to) {}
  template <class T = void>
  constexpr receiver() : rank(null_process) {
    static_assert(never<T>, "to which rank? say {.to = rank}");
  }
};

struct sender {
  int rank;
  constexpr sender(int from) noexcept : rank(from) {}
  template <class T = void>
  constexpr sender() : rank(null_process) {
    static_assert(never<T>, "from which rank? say {.from = rank}, or {.from = antiphon::any_source}");
  }
};

// What the C interface calls .to and .from.
struct c_dest {
  constexpr c_dest() = default;
  template <class T>
  constexpr c_dest(T) {
    static_assert(never<T>, "the receiver's rank is called .to here: {.to = rank}");
  }
};
struct c_source {
  constexpr c_source() = default;
  template <class T>
  constexpr c_source(T) {
    static_assert(never<T>, "the sender's rank is called .from here: {.from = rank}");
  }
};

// The arguments of a call that ends in a number, where there are options instead. Such calls have an overload that
// says so.
template <std::size_t least, class... Given>
concept end_in_number =
    sizeof...(Given) >=
    least&& std::integral<std::remove_cvref_t<typename decltype((std::type_identity<Given>(), ...))::type>>;

template <class... Given>
consteval void name_the_receiver() {
  static_assert(never<Given...>, "ranks and tags have names: say {.to = rank, .tag = number}");
}
template <class... Given>
consteval void name_the_sender() {
  static_assert(never<Given...>, "ranks and tags have names: say {.from = rank, .tag = number}");
}
template <class... Given>
consteval void name_the_root() {
  static_assert(never<Given...>, "the root has a name: say {.root = rank}");
}

// Of an operation that cannot find them out, since it does not block.
struct known_counts {
  std::span<const MPI_Count> of_each;
  template <class R>
  requires std::convertible_to<const R&, std::span<const MPI_Count>>
  constexpr known_counts(const R& counts) noexcept : of_each(counts) {}
  template <class T = void>
  constexpr known_counts() {
    static_assert(
        never<T>,
        "how many elements come from each rank? what does not block cannot ask them: say {.counts = counts}");
  }
  std::vector<MPI_Count> copy() const { return {of_each.begin(), of_each.end()}; }
};

// Counts that a call finds out where they are left out, by asking the other ranks. So all ranks say them, or all
// leave them out, and who says an empty range, or {}, has not left them out.
class optional_counts {
 public:
  static constexpr optional_counts left_out() noexcept {
    optional_counts result;
    result.said_ = false;
    return result;
  }
  constexpr optional_counts() noexcept = default;
  template <class R>
  requires std::convertible_to<const R&, std::span<const MPI_Count>>
  constexpr optional_counts(const R& counts) noexcept : of_each_(counts) {}

  // What ask() returns if they are left out.
  template <class Ask>
  std::vector<MPI_Count> said_or(Ask ask) const {
    if (!said_) return ask();
    return {of_each_.begin(), of_each_.end()};
  }

 private:
  std::span<const MPI_Count> of_each_;
  bool said_ = true;
};

}  // namespace detail

// MPI 5.0, 3.4. A buffered send needs a buffer (MPI_Comm_attach_buffer), a ready one a receive that waits already.
enum class send_mode { standard, synchronous, buffered, ready };

struct destination {
  detail::receiver to;
  [[no_unique_address]] detail::c_dest dest = {};
  int tag = 0;
  send_mode mode = send_mode::standard;
};

struct origin {
  detail::sender from;
  [[no_unique_address]] detail::c_source source = {};
  int tag = 0;  // or any_tag
};

struct partitioned_destination {
  detail::receiver to;
  [[no_unique_address]] detail::c_dest dest = {};
  int tag = 0;
  int partitions = 1;  // of equal length
};

struct partitioned_origin {
  detail::sender from;
  [[no_unique_address]] detail::c_source source = {};
  int tag = 0;
  int partitions = 1;  // of equal length; how many the sender has is its own affair
};

struct exchange {
  detail::receiver to;
  [[no_unique_address]] detail::c_dest dest = {};
  detail::sender from;
  [[no_unique_address]] detail::c_source source = {};
  int tag = 0;  // of both messages
};

struct rooted {
  int root = 0;
};

struct rooted_with_counts {
  int root = 0;
  // Of each rank's elements, on the root; elsewhere they may be empty. Left out by all ranks, or by none.
  detail::optional_counts counts = detail::optional_counts::left_out();
};

struct rooted_with_known_counts {
  int root = 0;
  detail::known_counts counts;  // of each rank's elements, on the root; elsewhere they may be empty
};

struct with_counts {
  // Of the elements that come from each rank, or from each source. Left out by all ranks, or by none.
  detail::optional_counts counts = detail::optional_counts::left_out();
};

struct with_known_counts {
  detail::known_counts counts;  // of the elements that come from each rank
};

struct coloring {
  int color = MPI_UNDEFINED;  // ranks of one color get a communicator; those without one get none
  int key = 0;                // ranks are numbered by key, then by rank
};

}  // namespace antiphon
