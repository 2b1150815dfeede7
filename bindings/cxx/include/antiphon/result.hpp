// Errors as values. attempt() turns what a call throws into a result, so every call has both forms and none is
// written twice; where nothing goes wrong it costs nothing.
//
//   auto got = antiphon::attempt([&] { return comm.recv<int>({.from = 3}); });
//   if (!got) std::puts(got.error().what());
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "error.hpp"

namespace antiphon {

// A value or an error; as much of C++23's std::expected as a caller needs.
template <class T>
class [[nodiscard("look whether it is a value or an error")]] result {
  using stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

 public:
  result(stored value) : content_(std::in_place_index<0>, std::move(value)) {}
  result(antiphon::error error) : content_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  // The value; throws the error if there is none.
  stored& value()& {
    if (!has_value()) throw error();
    return std::get<0>(content_);
  }
  stored value()&& { return std::move(value()); }
  stored& operator*()& { return value(); }
  stored operator*()&& { return std::move(value()); }
  stored* operator->() { return &value(); }

  stored value_or(stored otherwise)&& {
    return has_value() ? std::get<0>(std::move(content_)) : std::move(otherwise);
  }

  // Only where there is no value.
  [[nodiscard]] const antiphon::error& error() const { return std::get<1>(content_); }

 private:
  std::variant<stored, antiphon::error> content_;
};

template <class F>
auto attempt(F&& call) -> result<std::invoke_result_t<F>> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      std::forward<F>(call)();
      return std::monostate{};
    } else {
      return std::forward<F>(call)();
    }
  } catch (error& problem) {
    return std::move(problem);
  }
}

}  // namespace antiphon
