// Several futures at once: when_all is over when all of them are, wait_any finds the next one that is.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "error.hpp"
#include "future.hpp"

namespace antiphon {

namespace detail {

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

}  // namespace detail

// The results of futures of different kinds, as a tuple.
template <class... Futures>
class [[nodiscard("get() waits and has the results")]] all_of {
 public:
  explicit all_of(Futures... futures) : futures_(std::move(futures)...) {}

  auto get() {
    detail::wait_for_all(
        std::array<MPI_Request, sizeof...(Futures)>{}, std::array<MPI_Status, sizeof...(Futures)>{},
        [&](auto visitor) { std::apply([&](auto&... future) { (visitor(future), ...); }, futures_); });
    return std::apply([](auto&... future) { return std::tuple{future.get()...}; }, futures_);
  }

  [[nodiscard]] bool ready() {
    return std::apply([](auto&... future) { return (static_cast<int>(future.ready()) & ...) != 0; }, futures_);
  }

  auto& futures() noexcept { return futures_; }

 private:
  std::tuple<Futures...> futures_;
};

// The results of futures of one kind, as a vector.
template <class Future>
class [[nodiscard("get() waits and has the results")]] all_in {
 public:
  explicit all_in(std::vector<Future> futures) : futures_(std::move(futures)) {}

  auto get() {
    detail::wait_for_all(std::vector<MPI_Request>(futures_.size()), std::vector<MPI_Status>(futures_.size()),
                         [&](auto visitor) {
                           for (auto& future : futures_) visitor(future);
                         });
    std::vector<decltype(futures_.front().get())> results;
    results.reserve(futures_.size());
    for (auto& future : futures_) results.push_back(future.get());
    return results;
  }

  [[nodiscard]] bool ready() {
    bool all = true;
    for (auto& future : futures_) all &= future.ready();
    return all;
  }

  auto& futures() noexcept { return futures_; }

 private:
  std::vector<Future> futures_;
};

template <class... Result, class... Kept, detail::length... length>
auto when_all(future<Result, Kept, length>... futures) {
  return all_of<future<Result, Kept, length>...>(std::move(futures)...);
}
template <class Result, class Kept, detail::length length>
auto when_all(std::vector<future<Result, Kept, length>> futures) {
  return all_in<future<Result, Kept, length>>(std::move(futures));
}

// Waits until another one of these is over, and tells which; each is named once, and none when all have been.
template <class Future>
std::optional<std::size_t> wait_any(std::vector<Future>& futures) {
  std::vector<MPI_Request> requests;
  requests.reserve(futures.size());
  for (const auto& future : futures) requests.push_back(future.request());
  int index = MPI_UNDEFINED;
  MPI_Status status;
  const int code = MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, &status);
  if (index == MPI_UNDEFINED) {
    detail::check(code);
    return std::nullopt;
  }
  futures[static_cast<std::size_t>(index)].finished(status, code);
  return static_cast<std::size_t>(index);
}

}  // namespace antiphon
