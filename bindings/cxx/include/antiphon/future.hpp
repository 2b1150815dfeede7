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

// What a future does with the message's length when it is over.
enum class length { ignored, fitted };

}  // namespace detail

// Result is what get() returns; Kept is what else must live as long. Made by the operations of a communicator.
template <class Result, class Kept = detail::nothing, detail::length length = detail::length::ignored>
class [[nodiscard("a future that is dropped waits at once: keep it, or call the blocking operation")]] future {
  using stored = std::conditional_t<std::is_void_v<Result>, detail::nothing, Result>;
  static constexpr bool receives = length == detail::length::fitted;

 public:
  // start(result, kept, request) begins the operation with objects that stay where they are.
  template <class Start>
  future(stored result, Kept kept, Start start) : result_(std::move(result)), kept_(std::move(kept)) {
    detail::check(start(*result_, *kept_, &request_));
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
    if constexpr (receives) {
      code_ = MPI_SUCCESS;  // should the length be wrong, the operation is over without an error nevertheless
      detail::fit(*result_, status_);
    }
    take();
    if constexpr (!std::is_void_v<Result>) return std::move(*result_);
  }

  // Where the message came from; of a receive that is over.
  [[nodiscard]] const antiphon::status& status() const noexcept requires receives { return status_; }

  // For those who wait for several at once: the request, and what was learned of it.
  [[nodiscard]] MPI_Request request() const noexcept { return request_; }
  void finished(const MPI_Status& status, int code) noexcept {
    if constexpr (receives) status_ = antiphon::status(status);
    request_ = MPI_REQUEST_NULL;
    code_ = code;
  }

 private:
  // Waits; the code that MPI gave.
  int outcome() noexcept {
    if (request_ == MPI_REQUEST_NULL) [[unlikely]]
      return code_;
    if constexpr (receives)
      return MPI_Wait(&request_, status_.native());
    else
      return MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }

  static constexpr int kTaken = -1;  // no error code: those are not negative

  void take() noexcept {
    request_ = MPI_REQUEST_NULL;
    code_ = kTaken;
  }

  [[noreturn, gnu::cold, gnu::noinline]] void fail(int code) {
    take();
    if (code != kTaken) detail::fail(code);
    throw std::logic_error("this future was moved from, or has given its buffer back already");
  }

  detail::held<stored> result_;
  [[no_unique_address]] detail::held<Kept> kept_;
  MPI_Request request_;  // null when the operation is over
  [[no_unique_address]] std::conditional_t<receives, antiphon::status, detail::nothing> status_;
  int code_;  // of the operation, once it is over; or kTaken
};

}  // namespace antiphon
