// What may stand for a buffer: a contiguous range (vector, array, span, string, ...) means its elements, anything
// else means itself. Where neither fits, a region says it as C does: address, count, datatype.
#pragma once

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "datatype.hpp"
#include "status.hpp"

namespace antiphon {

// `count` elements of a datatype; Void is void or const void. A view: it owns neither.
template <class Void>
struct basic_region {
  Void* address = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};
using region = basic_region<void>;
using const_region = basic_region<const void>;

namespace detail {

template <class B>
concept explicit_region = any_of<std::remove_cvref_t<B>, region, const_region>;

template <class B>
concept contiguous = std::ranges::contiguous_range<B> && std::ranges::sized_range<B>;

// Copying one copies no elements, and who holds one keeps nothing alive.
template <class B>
concept view = explicit_region<B> || std::ranges::view<std::remove_cvref_t<B>>;

// Takes as many elements as there are.
template <class B>
concept resizable = contiguous<B> && !view<B> && requires(B & buffer) {
  buffer.resize(std::size_t{});
};

// Moved in and the caller's no more, so it can be resized, and is returned; other buffers are filled where they are.
template <class B>
concept given_back = !std::is_lvalue_reference_v<B> && !view<B>;

template <class B>
struct element {
  using type = std::remove_cv_t<B>;
};
template <contiguous B>
struct element<B> {
  using type = std::ranges::range_value_t<B>;
};
template <class B>
using element_of = typename element<std::remove_reference_t<B>>::type;

// Stops the compiler with a sentence where something is no buffer.
template <class B>
consteval bool explain_buffer() {
  using T = std::remove_cvref_t<B>;
  static_assert(!std::is_pointer_v<T>,
                "a pointer does not say how many elements there are: pass std::span(pointer, count)");
  static_assert(!std::same_as<T, std::vector<bool>>,
                "std::vector<bool> holds bits, not bools that MPI could read: use std::vector<char>");
  static_assert(std::same_as<T, std::vector<bool>> || !std::ranges::range<T> || contiguous<T>,
                "the elements of a buffer lie one after the other: copy these into a std::vector, or describe where "
                "they are with a datatype and antiphon::region");
  return !std::is_pointer_v<T> && (!std::ranges::range<T> || contiguous<T>);
}

template <class B>
consteval bool explain_target() {
  using T = std::remove_reference_t<B>;
  constexpr bool is_const = [] {
    if constexpr (explicit_region<T>)
      return std::same_as<std::remove_cv_t<T>, const_region>;
    else if constexpr (contiguous<T>)
      return std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<T>>>;
    else
      return std::is_const_v<T>;
  }();
  static_assert(!is_const, "nothing can be received into what is const");
  return explain_buffer<B>() && !is_const;
}

template <class Void, class B>
basic_region<Void> region_of(B& buffer) {
  if constexpr (explicit_region<B>) {
    return {buffer.address, buffer.count, buffer.type};
  } else if constexpr (contiguous<B>) {
    return {std::ranges::data(buffer), static_cast<MPI_Count>(std::ranges::size(buffer)),
            datatype_of<element_of<B>>()};
  } else {
    return {std::addressof(buffer), 1, datatype_of<element_of<B>>()};
  }
}

// The buffer's memory, to read from and to write to.
template <class B>
const_region source_of(const B& buffer) {
  if constexpr (explain_buffer<B>())
    return region_of<const void>(buffer);
  else
    return {};
}
template <class B>
region target_of(B& buffer) {
  if constexpr (explain_target<B>())
    return region_of<void>(buffer);
  else
    return {};
}

// Makes a buffer as long as the message that it got.
template <class B>
void fit(B& buffer, const status& status) {
  if constexpr (explicit_region<B>) {
    buffer.count = status.count(buffer.type);
  } else {
    const MPI_Count count = status.count(datatype_of<element_of<B>>());
    if constexpr (resizable<B>) {
      buffer.resize(static_cast<std::size_t>(count));
    } else if constexpr (view<B> && requires { buffer = buffer.first(std::size_t{}); }) {
      buffer = buffer.first(static_cast<std::size_t>(count));
    } else if (const auto room = target_of(buffer).count; count != room) {
      throw error(MPI_ERR_COUNT, "a message of " + std::to_string(count) + " elements, where " +
                                     std::to_string(room) + " were expected");
    }
  }
}

// Keeps an object where MPI can find its elements while its owner is moved: views and vectors stay as they are,
// anything else lives on the heap.
template <class T>
class held {
  static constexpr bool in_place = std::is_empty_v<T> || view<T> || requires {
    typename T::value_type;
    requires std::same_as<T, std::vector<typename T::value_type>>;
  };

 public:
  held() = default;  // of a view or a vector, an empty one; otherwise nothing
  explicit held(T&& object) : object_(make(std::move(object))) {}

  T& operator*() noexcept {
    if constexpr (in_place)
      return object_;
    else
      return *object_;
  }

 private:
  using stored = std::conditional_t<in_place, T, std::unique_ptr<T>>;
  static stored make(T&& object) {
    if constexpr (in_place)
      return std::move(object);
    else
      return std::make_unique<T>(std::move(object));
  }
  stored object_;
};

}  // namespace detail
}  // namespace antiphon
