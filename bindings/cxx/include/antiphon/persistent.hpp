// Operations that are done again and again. Their arguments are looked at once; each round is a start and a wait.
//
//   auto sending = comm.send_init(std::vector<double>(n), {.to = right});
//   for (int step = 0; step < steps; ++step) {
//     fill(sending.buffer());
//     sending.start();
//     ...
//     sending.wait();
//   }
//   std::vector<double> values = std::move(sending).release();
//
// An operation has its buffer as a future has: it was moved in, or it is a view. The program reaches it through
// buffer() alone, between rounds, as a span: memory that MPI knows is not to be reallocated. Who asks during a round
// gets an exception, since no compiler sees how often a loop has started something. An operation that ends in a round
// waits.
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
#include "future.hpp"
#include "status.hpp"

namespace antiphon {

namespace detail {

// The memory of a buffer, without what could change where it is.
template <class B>
decltype(auto) elements_of(B& buffer) {
  if constexpr (requires { buffer.blocks(); })
    return buffer.blocks();
  else if constexpr (explicit_region<B> || !contiguous<B>)
    return (buffer);
  else
    return std::span(std::ranges::data(buffer), std::ranges::size(buffer));
}

// A request that is started again and again, and is ended with its owner.
class rounds {
 public:
  rounds() = default;
  rounds(rounds&& other) noexcept
      : request_(std::exchange(other.request_, MPI_REQUEST_NULL)),
        runs_(std::exchange(other.runs_, false)),
        status_(other.status_) {}
  rounds& operator=(rounds&& other) noexcept {
    if (this == &other) return *this;
    this->~rounds();
    return *new (this) rounds(std::move(other));
  }
  rounds(const rounds&) = delete;             // an operation has one owner: std::move it
  rounds& operator=(const rounds&) = delete;  // an operation has one owner: std::move it
  ~rounds() { end(); }

  // Begins a round.
  void start() {
    require_idle("a round is under way: wait for it before the next start");
    check(MPI_Start(&request_));
    runs_ = true;
  }
  // Whether no round is under way, or that which was is over; never waits.
  [[nodiscard]] bool ready() {
    if (!runs_) return true;
    int over = 0;
    const int code = MPI_Test(&request_, &over, status_.native());
    runs_ = code == MPI_SUCCESS && !over;
    check(code);
    return over;
  }
  // Waits until the round is over. Without one there is nothing to wait for.
  void wait() {
    if (std::exchange(runs_, false)) check(MPI_Wait(&request_, status_.native()));
  }

  [[nodiscard]] MPI_Request request() const noexcept { return request_; }

 protected:
  [[nodiscard]] bool runs() const noexcept { return runs_; }
  [[nodiscard]] const antiphon::status& last() const noexcept { return status_; }
  MPI_Request* made() noexcept { return &request_; }

  void require_idle(const char* otherwise) const {
    if (request_ == MPI_REQUEST_NULL) [[unlikely]]
      throw std::logic_error("this operation was moved from");
    if (runs_) [[unlikely]]
      throw std::logic_error(otherwise);
  }
  // Nothing afterwards.
  void end() noexcept {
    if (request_ == MPI_REQUEST_NULL) return;
    int over = 0;
    MPI_Finalized(&over);
    if (over) return;
    wait();
    check(MPI_Request_free(&request_));
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
  bool runs_ = false;
  antiphon::status status_;
};

// What is done with the length of a round's message.
enum class length { ignored, fitted };

inline constexpr char kInUse[] = "MPI has this buffer until the round is over: wait first";

}  // namespace detail

// Made by send_init and its kin. Result is what a reduction makes of the buffer.
template <class Buffer, class Result = detail::nothing, detail::length length = detail::length::ignored>
class [[nodiscard("an operation that is dropped was made for nothing")]] persistent : public detail::rounds {
 public:
  // make(buffer, result, request) makes the request, of objects that stay where they are.
  template <class Make>
  persistent(Buffer buffer, Result result, Make make) : buffer_(std::move(buffer)), result_(std::move(result)) {
    detail::check(make(*buffer_, *result_, made()));
  }
  // make(buffer, result, kept, request), where `kept` is what else the operation needs.
  template <class Kept, class Make>
  persistent(Buffer buffer, Result result, Kept kept, Make make)
      : buffer_(std::move(buffer)), result_(std::move(result)) {
    kept_ = detail::keep(std::move(kept), [&](auto& object) { return make(*buffer_, *result_, object, made()); });
  }

  // What is sent, or where messages come in.
  [[nodiscard]] decltype(auto) buffer() requires(!std::is_same_v<Buffer, detail::nothing>) {
    require_idle(detail::kInUse);
    return detail::elements_of(*buffer_);
  }
  // What the last round reduced.
  [[nodiscard]] decltype(auto) result() requires(!std::is_same_v<Result, detail::nothing>) {
    require_idle(detail::kInUse);
    return detail::elements_of(*result_);
  }
  // As much of the buffer as the last round's message has filled.
  [[nodiscard]] auto message() requires(length == detail::length::fitted && detail::contiguous<Buffer>) {
    const MPI_Count count = last().template count<detail::element_of<Buffer>>();
    return buffer().first(static_cast<std::size_t>(count));
  }
  // Of the last round.
  [[nodiscard]] const antiphon::status& status() const requires(length == detail::length::fitted) { return last(); }

  // Ends the operation and gives the buffer back.
  [[nodiscard]] Buffer release()&& {
    end();
    return std::move(*buffer_);
  }

  ~persistent() { end(); }  // before its buffer
  persistent(persistent &&) noexcept = default;
  persistent& operator=(persistent&&) noexcept = default;
  persistent(const persistent&) = delete;  // an operation has one owner: std::move it

 private:
  detail::held<Buffer> buffer_;
  [[no_unique_address]] detail::held<Result> result_;
  detail::keeper_pointer kept_;
};

}  // namespace antiphon
