#include "engine/coll/reduction.hpp"

#include <algorithm>
#include <complex>
#include <type_traits>

namespace antiphon::coll {

using objects::Element;
using Kind = objects::Op::Kind;

namespace {

template <class T, auto Combine>
void combine(const void* source, void* target, std::size_t elements) {
  const T* from = static_cast<const T*>(source);
  T* to = static_cast<T*>(target);
  for (std::size_t i = 0; i < elements; ++i) to[i] = static_cast<T>(Combine(from[i], to[i]));
}

constexpr auto sum = [](auto a, auto b) { return a + b; };
constexpr auto product = [](auto a, auto b) { return a * b; };
constexpr auto minimum = [](auto a, auto b) { return b < a ? b : a; };
constexpr auto maximum = [](auto a, auto b) { return a < b ? b : a; };
constexpr auto bit_and = [](auto a, auto b) { return a & b; };
constexpr auto bit_or = [](auto a, auto b) { return a | b; };
constexpr auto bit_xor = [](auto a, auto b) { return a ^ b; };
constexpr auto logical_and = [](auto a, auto b) { return a && b; };
constexpr auto logical_or = [](auto a, auto b) { return a || b; };
constexpr auto logical_xor = [](auto a, auto b) { return !a != !b; };
constexpr auto replace = [](auto a, auto) { return a; };
constexpr auto keep = [](auto, auto b) { return b; };

// Of two equal values the one with the smaller index wins.
constexpr auto min_location = [](auto a, auto b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index) ? a : b;
};
constexpr auto max_location = [](auto a, auto b) {
  return b.value < a.value || (a.value == b.value && a.index < b.index) ? a : b;
};

template <class Value, class Index = int>
struct Located {
  Value value;
  Index index;
};

// Operations that move values without looking at them.
template <class T>
ReduceKernel moving(Kind op) {
  if (op == Kind::replace) return combine<T, replace>;
  if (op == Kind::no_op) return combine<T, keep>;
  return nullptr;
}

template <class T>
ReduceKernel bitwise(Kind op) {
  switch (op) {
    case Kind::band:
      return combine<T, bit_and>;
    case Kind::bor:
      return combine<T, bit_or>;
    case Kind::bxor:
      return combine<T, bit_xor>;
    default:
      return moving<T>(op);
  }
}

template <class T>
ReduceKernel logical(Kind op) {
  switch (op) {
    case Kind::land:
      return combine<T, logical_and>;
    case Kind::lor:
      return combine<T, logical_or>;
    case Kind::lxor:
      return combine<T, logical_xor>;
    default:
      return moving<T>(op);
  }
}

template <class T>
ReduceKernel additive(Kind op) {
  switch (op) {
    case Kind::sum:
      return combine<T, sum>;
    case Kind::prod:
      return combine<T, product>;
    default:
      return moving<T>(op);
  }
}

template <class T>
ReduceKernel ordered(Kind op) {
  switch (op) {
    case Kind::min:
      return combine<T, minimum>;
    case Kind::max:
      return combine<T, maximum>;
    default:
      return additive<T>(op);
  }
}

template <class T>
ReduceKernel integer(Kind op) {
  if (const ReduceKernel kernel = ordered<T>(op)) return kernel;
  if (const ReduceKernel kernel = logical<T>(op)) return kernel;
  return bitwise<T>(op);
}

template <class T, class Index = int>
ReduceKernel located(Kind op) {
  switch (op) {
    case Kind::minloc:
      return combine<Located<T, Index>, min_location>;
    case Kind::maxloc:
      return combine<Located<T, Index>, max_location>;
    default:
      return moving<Located<T, Index>>(op);
  }
}

}  // namespace

ReduceKernel reduce_kernel(Kind op, Element element) {
  switch (element) {
    case Element::int8:
      return integer<std::int8_t>(op);
    case Element::int16:
      return integer<std::int16_t>(op);
    case Element::int32:
      return integer<std::int32_t>(op);
    case Element::int64:
      return integer<std::int64_t>(op);
    case Element::uint8:
      return integer<std::uint8_t>(op);
    case Element::uint16:
      return integer<std::uint16_t>(op);
    case Element::uint32:
      return integer<std::uint32_t>(op);
    case Element::uint64:
      return integer<std::uint64_t>(op);
    case Element::float32:
      return ordered<float>(op);
    case Element::float64:
      return ordered<double>(op);
    case Element::float_extended:
      return ordered<long double>(op);
    case Element::complex64:
      return additive<std::complex<float>>(op);
    case Element::complex128:
      return additive<std::complex<double>>(op);
    case Element::complex_extended:
      return additive<std::complex<long double>>(op);
    case Element::boolean:
      return logical<bool>(op);
    case Element::byte:
      return bitwise<std::uint8_t>(op);
    case Element::character:
      return moving<char>(op);
    case Element::wide_character:
      return moving<wchar_t>(op);
    case Element::float_int:
      return located<float>(op);
    case Element::double_int:
      return located<double>(op);
    case Element::long_int:
      return located<long>(op);
    case Element::int_int:
      return located<int>(op);
    case Element::short_int:
      return located<short>(op);
    case Element::long_double_int:
      return located<long double>(op);
    case Element::float_float:
      return located<float, float>(op);
    case Element::double_double:
      return located<double, double>(op);
    case Element::packed:
    case Element::none:
    case Element::int128:
    case Element::float16:
    case Element::float128:
    case Element::complex32:
    case Element::complex256:
      return nullptr;
  }
  return nullptr;
}

}  // namespace antiphon::coll
