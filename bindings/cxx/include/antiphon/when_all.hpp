// Several futures at once. wait_all, test_all, wait_any and test_any look at futures where they are: a vector, an
// array, a span, or some that are named; when_all takes them over and has their results.
#pragma once

#include <mpi.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "error.hpp"
#include "future.hpp"

namespace antiphon {

namespace detail {

template <class T>
inline constexpr bool is_future = false;
template <class Result>
inline constexpr bool is_future<future<Result>> = true;

template <class T>
concept futures = std::ranges::forward_range<T> && is_future<std::remove_cvref_t<std::ranges::range_reference_t<T>>>;

// In a tuple std::monostate stands for nothing.
template <class Result>
auto result_of(future<Result>& future) {
  if constexpr (std::is_void_v<Result>) {
    future.get();
    return std::monostate{};
  } else {
    return future.get();
  }
}

// Waits for all of some futures; `visit` calls its argument with each of them.
template <class Requests, class Statuses, class Visit>
void wait_for_all(Requests requests, Statuses statuses, Visit visit) noexcept {
  std::size_t next = 0;
  visit([&](auto& future) { requests[next++] = future.request(); });
  const int code = MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data());
  next = 0;
  visit([&](auto& future) {
    const MPI_Status& status = statuses[next++];
    if (future.request() != MPI_REQUEST_NULL)
      future.finished(status, code == MPI_ERR_IN_STATUS ? status.MPI_ERROR : code);
  });
}

// Which one `call` (MPI_Waitany, or MPI_Testany by another name) finds; that future then knows how it ended.
template <futures Range, class Call>
std::optional<std::size_t> find_any(Range& range, Call call) {
  std::vector<MPI_Request> requests;
  for (const auto& future : range) requests.push_back(future.request());
  int index = MPI_UNDEFINED;
  MPI_Status status;
  const int code = call(static_cast<int>(requests.size()), requests.data(), &index, &status);
  if (index == MPI_UNDEFINED) {
    check(code);
    return std::nullopt;
  }
  std::ranges::next(std::ranges::begin(range), index)->finished(status, code);
  return static_cast<std::size_t>(index);
}

}  // namespace detail

// Waits for all of these. What went wrong with one of them, its get() throws.
template <class... Results>
void wait_all(future<Results>&... futures) noexcept {
  detail::wait_for_all(std::array<MPI_Request, sizeof...(Results)>{}, std::array<MPI_Status, sizeof...(Results)>{},
                       [&](auto visitor) { (visitor(futures), ...); });
}
template <detail::futures Range>
void wait_all(Range&& range) {
  const auto count = static_cast<std::size_t>(std::ranges::distance(range));
  detail::wait_for_all(std::vector<MPI_Request>(count), std::vector<MPI_Status>(count), [&](auto visitor) {
    for (auto& future : range) visitor(future);
  });
}

// Whether all of these are over; never waits.
template <class... Results>
[[nodiscard]] bool test_all(future<Results>&... futures) {
  return (static_cast<int>(futures.ready()) & ... & 1) != 0;
}
template <detail::futures Range>
[[nodiscard]] bool test_all(Range&& range) {
  bool all = true;
  for (auto& future : range) all &= future.ready();
  return all;
}

// Waits until another one of these is over, and tells which; each is named once, and none when all have been.
template <detail::futures Range>
std::optional<std::size_t> wait_any(Range&& range) {
  return detail::find_any(range, MPI_Waitany);
}

// Another one of these that is over, if there is one; never waits.
template <detail::futures Range>
[[nodiscard]] std::optional<std::size_t> test_any(Range&& range) {
  return detail::find_any(range, [](int count, MPI_Request* requests, int* index, MPI_Status* status) {
    int over = 0;
    return MPI_Testany(count, requests, index, &over, status);
  });
}

// The results of futures of different kinds, as a tuple.
template <class... Results>
class [[nodiscard("get() waits and has the results")]] all_of {
 public:
  explicit all_of(future<Results>... futures) : futures_(std::move(futures)...) {}

  auto get() {
    std::apply([](auto&... future) { wait_all(future...); }, futures_);
    return std::apply([](auto&... future) { return std::tuple{detail::result_of(future)...}; }, futures_);
  }

  [[nodiscard]] bool ready() {
    return std::apply([](auto&... future) { return test_all(future...); }, futures_);
  }

  auto& futures() noexcept { return futures_; }

 private:
  std::tuple<future<Results>...> futures_;
};

// The results of futures of one kind, as a vector.
template <class Result>
class [[nodiscard("get() waits and has the results")]] all_in {
 public:
  explicit all_in(std::vector<future<Result>> futures) : futures_(std::move(futures)) {}

  auto get() {
    wait_all(futures_);
    if constexpr (std::is_void_v<Result>) {
      for (auto& future : futures_) future.get();
    } else {
      std::vector<Result> results;
      results.reserve(futures_.size());
      for (auto& future : futures_) results.push_back(future.get());
      return results;
    }
  }

  [[nodiscard]] bool ready() { return test_all(futures_); }

  auto& futures() noexcept { return futures_; }

 private:
  std::vector<future<Result>> futures_;
};

template <class... Results>
auto when_all(future<Results>... futures) {
  return all_of<Results...>(std::move(futures)...);
}
template <class Result>
auto when_all(std::vector<future<Result>> futures) {
  return all_in<Result>(std::move(futures));
}

}  // namespace antiphon
