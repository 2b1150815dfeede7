// The MPI datatype of a C++ type. Arithmetic types, std::byte, bool, enumerations and std::complex have predefined
// ones; arrays, pairs, tuples and structs of such get one when they are first sent, which lives as long as MPI does.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <complex>
#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "error.hpp"
#include "members.hpp"

namespace antiphon {

template <class T>
MPI_Datatype datatype_of();

namespace detail {

template <class T, class... Others>
concept any_of = (std::same_as<T, Others> || ...);

struct none {};

// The predefined datatype, or none{}. A function, since a handle of the C interface is no constant expression.
template <class T>
auto predefined_datatype() {
  if constexpr (std::is_enum_v<T> && !std::same_as<T, std::byte>)
    return predefined_datatype<std::underlying_type_t<T>>();
  else if constexpr (std::same_as<T, std::byte>)
    return MPI_BYTE;
  else if constexpr (std::same_as<T, bool>)
    return MPI_CXX_BOOL;
  else if constexpr (std::same_as<T, char>)
    return MPI_CHAR;
  else if constexpr (std::same_as<T, wchar_t>)
    return MPI_WCHAR;
  else if constexpr (any_of<T, unsigned char, char8_t>)
    return MPI_UNSIGNED_CHAR;
  else if constexpr (std::same_as<T, char16_t>)
    return MPI_UINT16_T;
  else if constexpr (std::same_as<T, char32_t>)
    return MPI_UINT32_T;
  else if constexpr (std::same_as<T, signed char>)
    return MPI_SIGNED_CHAR;
  else if constexpr (std::same_as<T, short>)
    return MPI_SHORT;
  else if constexpr (std::same_as<T, unsigned short>)
    return MPI_UNSIGNED_SHORT;
  else if constexpr (std::same_as<T, int>)
    return MPI_INT;
  else if constexpr (std::same_as<T, unsigned>)
    return MPI_UNSIGNED;
  else if constexpr (std::same_as<T, long>)
    return MPI_LONG;
  else if constexpr (std::same_as<T, unsigned long>)
    return MPI_UNSIGNED_LONG;
  else if constexpr (std::same_as<T, long long>)
    return MPI_LONG_LONG;
  else if constexpr (std::same_as<T, unsigned long long>)
    return MPI_UNSIGNED_LONG_LONG;
  else if constexpr (std::same_as<T, float>)
    return MPI_FLOAT;
  else if constexpr (std::same_as<T, double>)
    return MPI_DOUBLE;
  else if constexpr (std::same_as<T, long double>)
    return MPI_LONG_DOUBLE;
  else if constexpr (std::same_as<T, std::complex<float>>)
    return MPI_CXX_FLOAT_COMPLEX;
  else if constexpr (std::same_as<T, std::complex<double>>)
    return MPI_CXX_DOUBLE_COMPLEX;
  else if constexpr (std::same_as<T, std::complex<long double>>)
    return MPI_CXX_LONG_DOUBLE_COMPLEX;
  else
    return none{};
}

template <class T>
concept predefined = !std::same_as<decltype(predefined_datatype<T>()), none>;

template <class T>
inline constexpr std::size_t array_length = 0;
template <class T, std::size_t n>
inline constexpr std::size_t array_length<T[n]> = n;
template <class T, std::size_t n>
inline constexpr std::size_t array_length<std::array<T, n>> = n;

template <class T>
concept array = array_length<T> >
0;

template <array T>
using array_element = std::remove_cvref_t<decltype(std::declval<T&>()[0])>;

// Copying one copies its bytes, and nothing happens when it ends. A struct with a pair or a tuple in it is no more:
// it is not trivially copyable, since these assign by functions of their own.
template <class T>
concept plain = std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T>;

// Stops the compiler with a sentence where a type has no datatype.
template <class T>
consteval void explain_type() {
  if constexpr (predefined<T>) {
  } else if constexpr (array<T>) {
    explain_type<array_element<T>>();
  } else {
    static_assert(!std::is_pointer_v<T> && !std::is_member_pointer_v<T>,
                  "a pointer means nothing in another process: send what it points to");
    static_assert(!std::is_union_v<T>, "MPI cannot know which member of a union is in use: send that member");
    if constexpr (!std::is_pointer_v<T> && !std::is_member_pointer_v<T> && !std::is_union_v<T>) {
      constexpr bool described = lists_members<T> || tuple_like<T>;
      static_assert(described || plain<T>,
                    "an object of this type is more than its bytes, it may own memory: send what it holds, "
                    "as a span or a vector, or list what is sent in antiphon::members");
      static_assert(
          described || !plain<T> || std::is_aggregate_v<T>,
          "the members of this type cannot be seen: make it an aggregate, or list them in antiphon::members");
      static_assert(described || !has_bases<T>,
                    "the members of a struct with base classes cannot be seen: list them in antiphon::members, those "
                    "of the base classes among them");
      if constexpr (described || (plain<T> && std::is_aggregate_v<T> && !has_bases<T>)) {
        constexpr std::size_t count = described ? 1 : member_count<T>();
        static_assert(count > 0, "this struct is empty, there is nothing to send");
        static_assert(count <= kMostMembers,
                      "an aggregate of more than 16 members: nest some of them, or list them in antiphon::members");
        if constexpr (count > 0 && count <= kMostMembers) {
          []<class... Members>(std::type_identity<std::tuple<Members&...>>) {
            (explain_type<std::remove_cv_t<Members>>(), ...);
          }(std::type_identity<decltype(members_of(std::declval<T&>()))>());
        }
      }
    }
  }
}

// Whether a type has a datatype, for those who have something else to do where it has none.
template <class T>
consteval bool has_datatype() {
  if constexpr (predefined<T>) {
    return true;
  } else if constexpr (array<T>) {
    return has_datatype<array_element<T>>();
  } else if constexpr (lists_members<T> || tuple_like<T> || (plain<T> && can_be_taken_apart<T>)) {
    return []<class... Members>(std::type_identity<std::tuple<Members&...>>) {
      return (has_datatype<std::remove_cv_t<Members>>() && ...);
    }(std::type_identity<decltype(members_of(std::declval<T&>()))>());
  } else {
    return false;
  }
}

// Frees a datatype on the way to the one that is wanted.
struct free_datatype {
  using pointer = MPI_Datatype;
  void operator()(MPI_Datatype type) const { MPI_Type_free(&type); }
};
using temporary_datatype = std::unique_ptr<void, free_datatype>;

template <array T>
MPI_Datatype make_datatype() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous_c(array_length<T>, datatype_of<array_element<T>>(), &type));
  return type;
}

template <class T>
MPI_Datatype make_datatype() {
  const auto sample = std::make_unique<T>();  // where its members lie
  const auto address = [](const auto& object) { return reinterpret_cast<const std::byte*>(std::addressof(object)); };
  MPI_Datatype structure = MPI_DATATYPE_NULL;
  std::apply(
      [&]<class... Members>(Members&... member) {
        constexpr std::size_t count = sizeof...(Members);
        const MPI_Count lengths[count] = {(static_cast<void>(member), 1)...};
        const MPI_Count offsets[count] = {address(member) - address(*sample)...};
        const MPI_Datatype types[count] = {datatype_of<std::remove_cv_t<Members>>()...};
        check(MPI_Type_create_struct_c(count, lengths, offsets, types, &structure));
      },
      members_of(*sample));
  const temporary_datatype holder(structure);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(MPI_Type_create_resized_c(structure, 0, sizeof(T), &type));  // as far apart as in an array
  return type;
}

// What datatype_of has made; null before. Threads that come at the same time agree on one.
template <class T>
inline constinit std::atomic<MPI_Datatype> made_datatype = nullptr;

template <class T>
[[gnu::cold, gnu::noinline]] MPI_Datatype make_committed_datatype() {
  MPI_Datatype type = make_datatype<T>();
  check(MPI_Type_commit(&type));
  MPI_Datatype made = nullptr;
  if (made_datatype<T>.compare_exchange_strong(made, type)) return type;
  check(MPI_Type_free(&type));
  return made;
}

}  // namespace detail

template <class T>
MPI_Datatype datatype_of() {
  detail::explain_type<T>();
  if constexpr (detail::predefined<T>) {
    return detail::predefined_datatype<T>();
  } else {
    const MPI_Datatype type = detail::made_datatype<T>.load(std::memory_order_acquire);
    return type ? type : detail::make_committed_datatype<T>();
  }
}

}  // namespace antiphon
