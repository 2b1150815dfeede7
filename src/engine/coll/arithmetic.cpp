#include "engine/coll/arithmetic.hpp"

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/cache_line.hpp"
#include "base/wide_numbers.hpp"
#include "layout/cpu.hpp"

// Loops for processors that have more than the baseline of this architecture. They round alike: neither instruction
// set has fused multiplications and additions.
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

// For types that compilers expect at multiples of 16: in packets, boards and Fortran's derived types they lie at
// multiples of 8.
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

// A vector that crosses a line takes as long as two. So this begins at a line of `into`. If the lines of `other` lie
// otherwise, every second vector of half a line crosses one; if vectors had a whole line each, all would. Four
// vectors an iteration, because the loop itself takes time.
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

// Types that programs reduce many elements of have loops for better processors. Other types have not, because each
// loop makes the library larger.
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

// For operations that give the same bits if their operands change places.
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

// The right operand of a sum or product whose left operand is `left`: if that is a NaN, it is `left` itself. Of two
// NaNs a processor returns its first operand, but compilers may let the operands change places. Written so that
// compilers vectorize loops over it.
template <class T>
constexpr T beside(T left, T right) {
  if constexpr (kIsReal<T>) return left == left ? right : left;
  return right;
}
template <class T>
constexpr std::complex<T> beside(std::complex<T> left, std::complex<T> right) {
  return {beside(left.real(), right.real()), beside(left.imag(), right.imag())};
}
// Each part of a complex product depends on four numbers, so it is not clear which operand's NaN it is: any NaN
// becomes the same one.
template <class T>
constexpr std::complex<T> with_one_nan(std::complex<T> product) {
  constexpr T kNan = static_cast<T>(std::numeric_limits<double>::quiet_NaN());
  return {product.real() != product.real() ? kNan : product.real(),
          product.imag() != product.imag() ? kNan : product.imag()};
}

// Integer sums and products that overflow wrap around, because they are computed in an unsigned type.
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
// Vectors need no such care: compilers do not let the operands of an instruction in an asm statement change places.
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

// Of two equal values, the one with the smaller index is the result.
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

// Operations that copy an operand and do not interpret its value.
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
