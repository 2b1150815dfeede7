#include "engine/coll/arithmetic.hpp"

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/cache_line.hpp"
#include "base/wide_numbers.hpp"
#include "layout/cpu.hpp"

// Loops for processors that have more than this architecture begins with. They round as all others do: neither allows
// to fuse a product with a sum.
#if defined(__x86_64__)
#define ANTIPHON_AVX2 gnu::target("avx2")
#endif

namespace antiphon::coll {

using objects::Element;
using Kind = objects::Op::Kind;
using layout::Vectors;

namespace {

enum class Into { left, right };

template <class T>
constexpr bool kIsReal = std::is_floating_point_v<T> || std::is_same_v<T, base::Binary128>;
template <class T>
constexpr bool kIsInteger = std::is_integral_v<T> || std::is_same_v<T, base::Int128>;

template <class T, auto Combine, Into kInto>
[[gnu::always_inline]] inline T combined(T other, T into) {
  return static_cast<T>(kInto == Into::left ? Combine(into, other) : Combine(other, into));
}
template <class T, auto Combine, Into kInto>
[[gnu::always_inline]] inline void combine_all(const void* other, void* into, std::size_t elements) {
  const T* __restrict from = static_cast<const T*>(other);
  T* __restrict to = static_cast<T*>(into);
  for (std::size_t i = 0; i < elements; ++i) to[i] = combined<T, Combine, kInto>(from[i], to[i]);
}

template <class T, auto Combine, Into kInto>
[[gnu::noinline]] void combine(const void* other, void* into, std::size_t elements) {
  combine_all<T, Combine, kInto>(other, into, elements);
}

// Of what a compiler expects at multiples of 16: packets, boards and Fortran's derived types have it at multiples
// of 8.
template <class T, auto Combine, Into kInto>
[[gnu::noinline]] void combine_wide(const void* other, void* into, std::size_t elements) {
  const auto* from = static_cast<const std::byte*>(other);
  auto* to = static_cast<std::byte*>(into);
  for (std::size_t i = 0; i < elements; ++i, from += sizeof(T), to += sizeof(T)) {
    T theirs, ours;
    std::memcpy(&theirs, from, sizeof theirs);
    std::memcpy(&ours, to, sizeof ours);
    ours = combined<T, Combine, kInto>(theirs, ours);
    std::memcpy(to, &ours, sizeof ours);
  }
}

#if defined(__x86_64__)
template <class T>
using Vector [[gnu::vector_size(32)]] = T;

// A vector that lies in two lines takes as long as two, so this begins where a line of `into` does; where those of
// `other` lie otherwise, vectors of a line each would all do so. A turn has four vectors, as it takes a while by
// itself.
template <class T, auto Combine, Into kInto>
[[ANTIPHON_AVX2, gnu::noinline]] void combine_much(const void* other, void* into, std::size_t elements) {
  const std::size_t first = -reinterpret_cast<std::uintptr_t>(into) % base::kCacheLine / sizeof(T);
  combine<T, Combine, kInto>(other, into, first);
  const T* __restrict from = static_cast<const T*>(other);
  T* __restrict to = static_cast<T*>(into);
  std::size_t i = first;
  if constexpr (requires(Vector<T> some) { Combine.of_vectors(some, some); }) {
    Vector<T> theirs, ours;
#pragma GCC unroll 4
    for (; i + sizeof ours / sizeof(T) <= elements; i += sizeof ours / sizeof(T)) {
      std::memcpy(&theirs, from + i, sizeof theirs);
      std::memcpy(&ours, to + i, sizeof ours);
      ours = kInto == Into::left ? Combine.of_vectors(ours, theirs) : Combine.of_vectors(theirs, ours);
      std::memcpy(to + i, &ours, sizeof ours);
    }
    combine<T, Combine, kInto>(from + i, to + i, elements - i);
  } else {
#pragma GCC unroll 4
    for (; i < elements; ++i) to[i] = combined<T, Combine, kInto>(from[i], to[i]);
  }
}
template <class T, auto Combine, Into kInto>
[[ANTIPHON_AVX2]] void combine_avx2(const void* other, void* into, std::size_t elements) {
  constexpr std::size_t kMuch = 8 * base::kCacheLine / sizeof(T);
  if (elements >= kMuch) [[unlikely]]
    return combine_much<T, Combine, kInto>(other, into, elements);
  combine_all<T, Combine, kInto>(other, into, elements);
}
#endif

// Of numbers that much of is reduced; each takes some more of the library's code.
template <class T, auto Combine, Into kInto>
Kernel* kernel() {
#if defined(__x86_64__)
  if constexpr (std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)) {
    if (layout::best_vectors() >= Vectors::avx2) return combine_avx2<T, Combine, kInto>;
  }
#endif
  if constexpr (alignof(T) > alignof(std::uint64_t))
    return combine_wide<T, Combine, kInto>;
  else
    return combine<T, Combine, kInto>;
}

// Of an operation whose operands may change places without changing a bit.
template <class T, auto Combine>
Arithmetic symmetric() {
  return {kernel<T, Combine, Into::right>(), kernel<T, Combine, Into::right>()};
}
template <class T, auto Combine>
Arithmetic ordered() {
  return {kernel<T, Combine, Into::left>(), kernel<T, Combine, Into::right>()};
}
template <class T, auto Combine>
Arithmetic either_way() {
  return kIsInteger<T> ? symmetric<T, Combine>() : ordered<T, Combine>();
}

// What goes with `left`. A processor that adds two NaNs returns the one that it is given first, and compilers let the
// operands change places; so a NaN is added to itself. Written so that loops over it are vectorized.
template <class T>
constexpr T beside(T left, T right) {
  if constexpr (kIsReal<T>) return left == left ? right : left;
  return right;
}
template <class T>
constexpr std::complex<T> beside(std::complex<T> left, std::complex<T> right) {
  return {beside(left.real(), right.real()), beside(left.imag(), right.imag())};
}
// A part of a complex product is made of four numbers, so no operand has its NaN.
template <class T>
constexpr std::complex<T> with_one_nan(std::complex<T> product) {
  constexpr T kNan = static_cast<T>(std::numeric_limits<double>::quiet_NaN());
  return {product.real() != product.real() ? kNan : product.real(),
          product.imag() != product.imag() ? kNan : product.imag()};
}

// Sums and products that no integer of their type can hold are what is left of them in its bits.
template <class T>
constexpr auto wrapping(T number) {
  if constexpr (std::is_same_v<T, base::Int128>)
    return static_cast<base::Uint128>(number);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<std::common_type_t<unsigned, std::make_unsigned_t<T>>>(number);
  else
    return number;
}

#if defined(__x86_64__)
// Of vectors, without that: compilers do not look into an instruction.
#define ANTIPHON_OF_VECTORS(type, instruction)                                                                  \
  [[ANTIPHON_AVX2, gnu::always_inline]] static Vector<type> of_vectors(Vector<type> left, Vector<type> right) { \
    asm(instruction " %1, %0, %0" : "+x"(left) : "xm"(right));                                                  \
    return left;                                                                                                \
  }
#else
#define ANTIPHON_OF_VECTORS(type, instruction)
#endif
struct Sum {
  template <class T>
  constexpr auto operator()(T left, T right) const {
    return static_cast<T>(wrapping(left) + wrapping(beside(left, right)));
  }
  ANTIPHON_OF_VECTORS(float, "vaddps")
  ANTIPHON_OF_VECTORS(double, "vaddpd")
};
struct Product {
  template <class T>
  constexpr auto operator()(T left, T right) const {
    return static_cast<T>(wrapping(left) * wrapping(beside(left, right)));
  }
  ANTIPHON_OF_VECTORS(float, "vmulps")
  ANTIPHON_OF_VECTORS(double, "vmulpd")
};
constexpr Sum sum;
constexpr Product product;
constexpr auto complex_product = [](auto left, auto right) { return with_one_nan(left * right); };
constexpr auto minimum = [](auto left, auto right) { return right < left ? right : left; };
constexpr auto maximum = [](auto left, auto right) { return left < right ? right : left; };
constexpr auto bit_and = [](auto a, auto b) { return a & b; };
constexpr auto bit_or = [](auto a, auto b) { return a | b; };
constexpr auto bit_xor = [](auto a, auto b) { return a ^ b; };
constexpr auto logical_and = [](auto a, auto b) { return a && b; };
constexpr auto logical_or = [](auto a, auto b) { return a || b; };
constexpr auto logical_xor = [](auto a, auto b) { return !a != !b; };
constexpr auto replace = [](auto, auto right) { return right; };
constexpr auto keep = [](auto left, auto) { return left; };

// Of two equal values the one with the smaller index wins.
constexpr auto min_location = [](auto left, auto right) {
  return right.value < left.value || (right.value == left.value && right.index < left.index) ? right : left;
};
constexpr auto max_location = [](auto left, auto right) {
  return left.value < right.value || (right.value == left.value && right.index < left.index) ? right : left;
};

template <class Value, class Index = int>
struct Located {
  Value value;
  Index index;
};

// Operations that move values without looking at them.
template <class T>
Arithmetic moving(Kind op) {
  if (op == Kind::replace) return ordered<T, replace>();
  if (op == Kind::no_op) return ordered<T, keep>();
  return {};
}

template <class T>
Arithmetic bitwise(Kind op) {
  switch (op) {
    case Kind::band:
      return symmetric<T, bit_and>();
    case Kind::bor:
      return symmetric<T, bit_or>();
    case Kind::bxor:
      return symmetric<T, bit_xor>();
    default:
      return moving<T>(op);
  }
}

template <class T>
Arithmetic logical(Kind op) {
  switch (op) {
    case Kind::land:
      return symmetric<T, logical_and>();
    case Kind::lor:
      return symmetric<T, logical_or>();
    case Kind::lxor:
      return symmetric<T, logical_xor>();
    default:
      return moving<T>(op);
  }
}

template <class T>
Arithmetic real(Kind op) {
  switch (op) {
    case Kind::sum:
      return either_way<T, sum>();
    case Kind::prod:
      return either_way<T, product>();
    case Kind::min:
      return either_way<T, minimum>();
    case Kind::max:
      return either_way<T, maximum>();
    default:
      return moving<T>(op);
  }
}

template <class T>
Arithmetic complex(Kind op) {
  switch (op) {
    case Kind::sum:
      return ordered<std::complex<T>, sum>();
    case Kind::prod:
      return ordered<std::complex<T>, complex_product>();
    default:
      return moving<std::complex<T>>(op);
  }
}

template <class T>
Arithmetic integer(Kind op) {
  if (const Arithmetic kernel = real<T>(op)) return kernel;
  if (const Arithmetic kernel = logical<T>(op)) return kernel;
  return bitwise<T>(op);
}

template <class T, class Index = int>
Arithmetic located(Kind op) {
  switch (op) {
    case Kind::minloc:
      return ordered<Located<T, Index>, min_location>();
    case Kind::maxloc:
      return ordered<Located<T, Index>, max_location>();
    default:
      return moving<Located<T, Index>>(op);
  }
}

}  // namespace

Arithmetic arithmetic(Kind op, Element element) {
  switch (element) {
    case Element::int8:
      return integer<std::int8_t>(op);
    case Element::int16:
      return integer<std::int16_t>(op);
    case Element::int32:
      return integer<std::int32_t>(op);
    case Element::int64:
      return integer<std::int64_t>(op);
    case Element::int128:
      return integer<base::Int128>(op);
    case Element::uint8:
      return integer<std::uint8_t>(op);
    case Element::uint16:
      return integer<std::uint16_t>(op);
    case Element::uint32:
      return integer<std::uint32_t>(op);
    case Element::uint64:
      return integer<std::uint64_t>(op);
    case Element::float32:
      return real<float>(op);
    case Element::float64:
      return real<double>(op);
    case Element::float128:
      return real<base::Binary128>(op);
    case Element::float_extended:
      return real<long double>(op);
    case Element::complex64:
      return complex<float>(op);
    case Element::complex128:
      return complex<double>(op);
    case Element::complex256:
      return complex<base::Binary128>(op);
    case Element::complex_extended:
      return complex<long double>(op);
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
    case Element::float16:  // gfortran has no such kind, and C++ no type on all processors
    case Element::complex32:
      return {};
  }
  return {};
}

}  // namespace antiphon::coll
