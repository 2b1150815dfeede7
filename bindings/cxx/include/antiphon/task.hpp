// Coroutines that wait for MPI: `co_await future` gives way to other tasks until the operation is over. run() drives
// tasks on the calling thread, which sleeps in MPI while all of them wait.
//
//   antiphon::task<int> ask(antiphon::communicator comm, int whom) {
//     co_await comm.isend(42, {.to = whom});
//     co_return co_await comm.irecv<int>({.from = whom});
//   }
//   auto [a, b] = antiphon::run(ask(comm, 1), ask(comm, 2));
#pragma once

#include <mpi.h>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "error.hpp"
#include "future.hpp"
#include "when_all.hpp"

namespace antiphon {

template <class T>
class task;

namespace detail {

// The requests that suspended coroutines wait for.
class scheduler {
 public:
  // A coroutine that goes on when nothing that it waits for is left.
  struct waiter {
    std::coroutine_handle<> coroutine;
    std::size_t left = 0;
  };

  // `who` and `future` stay where they are until the coroutine goes on.
  template <class Future>
  void add(Future& future, waiter& who) {
    requests_.push_back(future.request());
    ends_.push_back({&who, &future, [](void* which, const MPI_Status& status, int code) noexcept {
                       static_cast<Future*>(which)->finished(status, code);
                     }});
    ++who.left;
  }

  // Waits until some operation is over, and runs the coroutines that waited for it.
  void step() {
    if (requests_.empty()) throw std::logic_error("a task waits for something that no other one will ever do");
    std::vector<int> indices(requests_.size());
    std::vector<MPI_Status> statuses(requests_.size());
    int count = 0;
    const int code =
        MPI_Waitsome(static_cast<int>(requests_.size()), requests_.data(), &count, indices.data(), statuses.data());
    if (code != MPI_ERR_IN_STATUS) check(code);
    std::vector<std::coroutine_handle<>> runnable;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      auto& ended = ends_[static_cast<std::size_t>(indices[i])];
      ended.tell(ended.future, statuses[i], code == MPI_ERR_IN_STATUS ? statuses[i].MPI_ERROR : MPI_SUCCESS);
      if (--ended.who->left == 0) runnable.push_back(ended.who->coroutine);
      ended.who = nullptr;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      if (ends_[i].who == nullptr) continue;
      ends_[kept] = ends_[i];
      requests_[kept++] = requests_[i];
    }
    ends_.resize(kept);
    requests_.resize(kept);
    for (const auto coroutine : runnable) coroutine.resume();
  }

 private:
  struct end {
    waiter* who;
    void* future;
    void (*tell)(void* future, const MPI_Status& status, int code) noexcept;
  };
  std::vector<MPI_Request> requests_;
  std::vector<end> ends_;
};

template <class Visit, class Result>
void visit_futures(future<Result>& future, Visit visit) {
  visit(future);
}
template <class Visit, class... Results>
void visit_futures(all_of<Results...>& all, Visit visit) {
  std::apply([&](auto&... future) { (visit(future), ...); }, all.futures());
}
template <class Visit, class Result>
void visit_futures(all_in<Result>& all, Visit visit) {
  for (auto& future : all.futures()) visit(future);
}

// Waits for a future, or for all of several.
template <class Futures>
class awaiter {
 public:
  explicit awaiter(Futures&& futures) : futures_(std::move(futures)) {}
  bool await_ready() { return futures_.ready(); }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> coroutine) {
    waiter_.coroutine = coroutine;
    visit_futures(futures_, [&](auto& future) {
      if (future.request() != MPI_REQUEST_NULL) coroutine.promise().scheduler->add(future, waiter_);
    });
  }
  auto await_resume() { return futures_.get(); }

 private:
  Futures futures_;
  scheduler::waiter waiter_;
};

struct promise_base {
  struct go_on_with_caller {
    bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) noexcept {
      return ended.promise().caller;
    }
    void await_resume() noexcept {}
  };
  std::suspend_always initial_suspend() noexcept { return {}; }
  go_on_with_caller final_suspend() noexcept { return {}; }
  void unhandled_exception() { problem = std::current_exception(); }

  detail::scheduler* scheduler = nullptr;
  std::coroutine_handle<> caller = std::noop_coroutine();
  std::exception_ptr problem;
};

template <class T>
struct promise : promise_base {
  task<T> get_return_object();
  template <class U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  T take() { return std::move(*value); }
  std::optional<T> value;
};
template <>
struct promise<void> : promise_base {
  inline task<void> get_return_object();
  void return_void() {}
  void take() {}
};

}  // namespace detail

// A coroutine that has not begun; run() or co_await begins it.
template <class T = void>
class [[nodiscard("a task does nothing until it is run or awaited")]] task {
 public:
  using promise_type = detail::promise<T>;

  explicit task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}
  task(task && other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  task& operator=(task&& other) noexcept {
    std::swap(coroutine_, other.coroutine_);
    return *this;
  }
  task(const task&) = delete;  // a task runs once: std::move it
  task& operator=(const task&) = delete;
  ~task() {
    if (coroutine_) coroutine_.destroy();
  }

  // co_await in another task: runs this one in its place.
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) {
    coroutine_.promise().scheduler = caller.promise().scheduler;
    coroutine_.promise().caller = caller;
    return coroutine_;
  }
  T await_resume() {
    if (coroutine_.promise().problem) std::rethrow_exception(coroutine_.promise().problem);
    return coroutine_.promise().take();
  }

  // For run().
  void start(detail::scheduler & scheduler) {
    coroutine_.promise().scheduler = &scheduler;
    coroutine_.resume();
  }
  [[nodiscard]] bool done() const { return coroutine_.done(); }

 private:
  std::coroutine_handle<promise_type> coroutine_;
};

namespace detail {

template <class T>
task<T> promise<T>::get_return_object() {
  return task<T>(std::coroutine_handle<promise>::from_promise(*this));
}
task<void> promise<void>::get_return_object() {
  return task<void>(std::coroutine_handle<promise>::from_promise(*this));
}

}  // namespace detail

template <class Result>
auto operator co_await(future<Result>&& future) {
  return detail::awaiter(std::move(future));
}
template <class... Results>
auto operator co_await(all_of<Results...>&& all) {
  return detail::awaiter(std::move(all));
}
template <class Result>
auto operator co_await(all_in<Result>&& all) {
  return detail::awaiter(std::move(all));
}

// Runs a task to its end, and returns its result or throws its exception.
template <class T>
T run(task<T> task) {
  detail::scheduler scheduler;
  task.start(scheduler);
  while (!task.done()) scheduler.step();
  return task.await_resume();
}

// Runs tasks side by side, all to their end.
template <class... T>
requires(sizeof...(T) > 1) auto run(task<T>... tasks) {
  detail::scheduler scheduler;
  (tasks.start(scheduler), ...);
  while (!(tasks.done() && ...)) scheduler.step();
  const auto result = [](auto& task) {
    if constexpr (std::is_void_v<decltype(task.await_resume())>) {
      task.await_resume();
      return std::monostate{};
    } else {
      return task.await_resume();
    }
  };
  return std::tuple{result(tasks)...};
}

// The same for any number of one kind.
template <class T>
auto run(std::vector<task<T>> tasks) {
  detail::scheduler scheduler;
  for (auto& task : tasks) task.start(scheduler);
  for (auto& task : tasks)
    while (!task.done()) scheduler.step();
  if constexpr (std::is_void_v<T>) {
    for (auto& task : tasks) task.await_resume();
  } else {
    std::vector<T> results;
    for (auto& task : tasks) results.push_back(task.await_resume());
    return results;
  }
}

}  // namespace antiphon
