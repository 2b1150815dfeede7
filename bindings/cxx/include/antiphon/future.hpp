// An operation under way. It keeps its buffer, so nobody can touch it early, and gives it back from get():
//
//   auto sent = comm.isend(std::move(values), {.to = 1});    // owns the vector
//   values = sent.get();                                     // and returns it
//   auto half = comm.irecv(std::span(row).first(n), {.from = 0});  // a view borrows, as views do
//
// A future that ends early waits. Its buffer may be the program's, further out in the same scope: when the future is
// gone, MPI no longer knows that memory. To end the program instead would turn any exception between the start of an
// operation and its end into a crash. An operation that nobody ever answers is a hang that mpiexec explains.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <new>
#include <ranges>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "buffer.hpp"
#include "error.hpp"
#include "status.hpp"

namespace antiphon {

namespace detail {

struct nothing {};

// Buffers that a future can keep: what is moved in, views, and values small enough to be copied without a thought.
template <class B>
consteval bool explain_keeping() {
  constexpr bool keepable = !std::is_lvalue_reference_v<B> || view<B> || !std::ranges::range<B>;
  static_assert(
      keepable,
      "this buffer could be changed or destroyed while MPI uses it: std::move it in and take it back from get(), "
      "or lend it as a std::span that outlives the future");
  return keepable;
}

// What a future keeps of it: a span of any length, so that it can say how much of it a message has filled.
template <class B>
struct keeping {
  using type = B;
};
template <class T, std::size_t n>
struct keeping<std::span<T, n>> {
  using type = std::span<T>;
};
template <class B>
using kept = typename keeping<std::remove_cvref_t<B>>::type;

// Buffers that can get the length of a message.
template <class B>
concept fittable = explicit_region<B> || has_datatype<element_of<B>>();

// What an operation needs until it is over and its future need not know the type of.
struct keeper {
  keeper() = default;
  keeper(const keeper&) = delete;
  keeper& operator=(const keeper&) = delete;
  virtual ~keeper() = default;
};
template <class Kept>
struct keeper_of : keeper {
  explicit keeper_of(Kept&& kept) : object(std::move(kept)) {}
  Kept object;
};

// Stands for that of a receive, which needs nothing, but looks at the message's length when it is over. So futures
// that do neither look once.
inline keeper receiving;
struct receive {};

struct end_keeper {
  void operator()(keeper* which) const {
    if (which != &receiving) delete which;
  }
};
using keeper_pointer = std::unique_ptr<keeper, end_keeper>;

// Who keeps one keeps nothing alive, so nobody has to.
template <class Kept>
inline constexpr bool keeps_nothing = std::is_empty_v<Kept> || view<Kept>;

// begin(object) with the object at a place where it stays for as long as the keeper that is returned.
template <class Kept, class Begin>
keeper_pointer keep(Kept kept, Begin begin) {
  if constexpr (keeps_nothing<Kept>) {
    check(begin(kept));
    return nullptr;
  } else {
    auto result = std::make_unique<keeper_of<Kept>>(std::move(kept));
    check(begin(result->object));
    return keeper_pointer(result.release());
  }
}

}  // namespace detail

// Result is what get() returns, and all that a future's type tells: those of one type can share a container, whatever
// they wait for. Made by the operations of a communicator.
template <class Result>
class [[nodiscard("a future that is dropped waits at once: keep it, or call the blocking operation")]] future {
  using stored = std::conditional_t<std::is_void_v<Result>, detail::nothing, Result>;

 public:
  // Without an operation, as one that was moved from.
  future() noexcept : request_(MPI_REQUEST_NULL), code_(kTaken) {}

  // start(result, kept, request) begins the operation with objects that stay where they are until it is over; `kept`
  // is what it needs beside its result.
  template <class Kept = detail::nothing, class Start>
  future(stored result, Kept kept, Start start) : result_(std::move(result)) {
    kept_ = detail::keep(std::move(kept), [&](auto& object) { return start(*result_, object, &request_); });
  }
  // A receive; start(result, request) begins it.
  template <class Start>
  future(stored result, Start start, detail::receive) : result_(std::move(result)), kept_(&detail::receiving) {
    detail::check(start(*result_, &request_));
  }

  future(future && other) noexcept
      : result_(std::move(other.result_)),
        kept_(std::move(other.kept_)),
        request_(std::exchange(other.request_, MPI_REQUEST_NULL)),
        status_(other.status_),
        code_(request_ == MPI_REQUEST_NULL ? other.code_ : MPI_SUCCESS) {
    other.code_ = kTaken;
  }
  future& operator=(future&& other) noexcept {
    if (this == &other) return *this;
    this->~future();
    return *new (this) future(std::move(other));
  }
  future(const future&) = delete;  // an operation is waited for once: std::move the future
  future& operator=(const future&) = delete;

  // An error that nobody asked for ends the program, with its sentence.
  ~future() {
    const int code = outcome();
    if (code != kTaken) detail::check(code);
  }

  // Whether get() has something to give: not before an operation is assigned, and not after get().
  [[nodiscard]] bool valid() const noexcept { return request_ != MPI_REQUEST_NULL || code_ != kTaken; }

  // Whether it is over; never waits.
  [[nodiscard]] bool ready() {
    if (request_ == MPI_REQUEST_NULL) return true;
    int over = 0;
    MPI_Status status;
    const int code = MPI_Test(&request_, &over, &status);
    if (over || code != MPI_SUCCESS) finished(status, code);
    return over;
  }

  void wait() noexcept {
    code_ = outcome();
    request_ = MPI_REQUEST_NULL;
  }

  // Waits, and gives the buffer back; a receive's is as long as the message, if its length can change. Once.
  Result get() {
    if (const int code = outcome(); code != MPI_SUCCESS) [[unlikely]]
      fail(code);
    if (kept_ != nullptr) [[unlikely]] {
      code_ = MPI_SUCCESS;  // should the length be wrong, the operation is over without an error nevertheless
      if (!receives())
        kept_.reset();
      else if constexpr (detail::fittable<stored>)
        detail::fit(*result_, status_);
    }
    take();
    if constexpr (!std::is_void_v<Result>) return std::move(*result_);
  }

  // Where the message came from; of a receive that is over.
  [[nodiscard]] const antiphon::status& status() const {
    if (!receives() || request_ != MPI_REQUEST_NULL) [[unlikely]]
      throw std::logic_error("only a receive that is over has a status");
    return status_;
  }

  // For those who wait for several at once: the request, and what was learned of it.
  [[nodiscard]] MPI_Request request() const noexcept { return request_; }
  void finished(const MPI_Status& status, int code) noexcept {
    status_ = antiphon::status(status);
    request_ = MPI_REQUEST_NULL;
    code_ = code;
  }

 private:
  [[nodiscard]] bool receives() const noexcept { return kept_.get() == &detail::receiving; }

  // Waits, and returns the code that MPI gave.
  int outcome() noexcept {
    if (request_ == MPI_REQUEST_NULL) [[unlikely]]
      return code_;
    return MPI_Wait(&request_, kept_ != nullptr ? status_.native() : MPI_STATUS_IGNORE);
  }

  static constexpr int kTaken = -1;  // no error code: those are not negative

  void take() noexcept {
    request_ = MPI_REQUEST_NULL;
    code_ = kTaken;
  }

  [[noreturn, gnu::cold, gnu::noinline]] void fail(int code) {
    take();
    if (code != kTaken) detail::fail(code);
    throw std::logic_error(
        "there is nothing to get: this future was never given an operation, was moved from, or has "
        "given its buffer back already");
  }

  detail::held<stored> result_;
  detail::keeper_pointer kept_;
  MPI_Request request_;      // null when the operation is over
  antiphon::status status_;  // of a receive that is over
  int code_;                 // of the operation, once it is over; or kTaken
};

}  // namespace antiphon
