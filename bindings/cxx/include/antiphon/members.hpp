// The members of a struct, as a tuple of references. An aggregate is taken apart by structured bindings; how many
// members it has is how many empty braces can initialize it. C++20 wants the names of a binding written out, hence
// the staircase, which ends at 16. A class that is no aggregate, has base classes or more members than that says
// itself what is sent:
//
//   template <> inline constexpr auto antiphon::members<particle> = std::tuple{&particle::position,
//   &particle::charge};
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace antiphon {

// Specialize it with a tuple of pointers to members. Members left out are not sent.
template <class T>
inline constexpr auto members = nullptr;

namespace detail {

template <class T>
concept lists_members = !std::is_null_pointer_v<std::remove_cv_t<decltype(members<T>)>>;

template <class T>
concept tuple_like = requires {
  std::tuple_size<T>::value;
};

// Stands for any base class of T, and for nothing else.
template <class T>
struct any_base_of {
  template <class Base>
  requires std::is_base_of_v<Base, T>
  operator Base() const;
};

// An aggregate's base classes are initialized before its members, and a structured binding cannot have both.
template <class T>
concept has_bases = requires {
  T{any_base_of<T>{}};
};

inline constexpr std::size_t kMostMembers = 16;

// The number of members of an aggregate, kMostMembers + 1 if there are more.
template <class T>
consteval std::size_t member_count() {
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 17;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 16;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 15;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 14;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 13;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 12;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 11;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 10;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 9;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; })
    return 8;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}}; })
    return 7;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}}; })
    return 6;
  else if constexpr (requires { T{{}, {}, {}, {}, {}}; })
    return 5;
  else if constexpr (requires { T{{}, {}, {}, {}}; })
    return 4;
  else if constexpr (requires { T{{}, {}, {}}; })
    return 3;
  else if constexpr (requires { T{{}, {}}; })
    return 2;
  else if constexpr (requires { T{{}}; })
    return 1;
  else
    return 0;
}

template <class T>
concept can_be_taken_apart = std::is_class_v<T> && std::is_aggregate_v<T> && !tuple_like<T> && !has_bases<T> &&
                             (member_count<T>() > 0) && (member_count<T>() <= kMostMembers);

template <class T>
auto members_of_aggregate(T& object) {
  constexpr std::size_t count = member_count<T>();
  if constexpr (count == 1) {
    auto& [a] = object;
    return std::tie(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = object;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = object;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = object;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = object;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = object;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = object;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = object;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = object;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (count == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (count == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (count == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  }
}

template <class T>
auto members_of(T& object) {
  if constexpr (lists_members<T>) {
    return std::apply([&](auto... member) { return std::tie(object.*member...); }, members<T>);
  } else if constexpr (tuple_like<T>) {
    return std::apply([](auto&... member) { return std::tie(member...); }, object);
  } else {
    return members_of_aggregate(object);
  }
}

}  // namespace detail
}  // namespace antiphon
