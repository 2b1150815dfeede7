// Many elements at once are combined as each of them is by itself, to the bit, wherever the operands lie.
#include "engine/coll/arithmetic.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "base/wide_numbers.hpp"

namespace antiphon::coll {
namespace {

using objects::Element;
using Kind = objects::Op::Kind;

// Small numbers, and NaNs of one operand, of the other and of both, each with bits of its own.
template <class T>
std::vector<T> numbers(std::size_t count, unsigned which) {
  std::vector<T> made;
  for (std::size_t i = 0; i < count; ++i) {
    made.push_back(static_cast<T>((i * 7 + which * 13) % 50));
    if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
      if (i % 5 != which && i % 5 != 2) continue;
      made.back() = std::numeric_limits<T>::quiet_NaN();
      auto* const low_bits = reinterpret_cast<unsigned char*>(&made.back());
      *low_bits = static_cast<unsigned char>(i + which);
    }
  }
  return made;
}

template <class T>
void expect_same_as_one_by_one(Kernel* kernel, const char* name) {
  constexpr std::size_t kLine = 64 / sizeof(T), kAround = 3 * kLine;
  for (const std::size_t count : {std::size_t{1}, kLine, 8 * kLine - 1, 8 * kLine, 13 * kLine + 5})
    for (std::size_t to = 0; to < kLine; ++to)
      for (const std::size_t from : {std::size_t{0}, to, std::size_t{1}}) {
        const std::vector<T> other = numbers<T>(count + kAround, 1);
        std::vector<T> all = numbers<T>(count + kAround, 0), each = all;
        kernel(&other[from], &all[to], count);
        for (std::size_t i = 0; i < count; ++i) kernel(&other[from + i], &each[to + i], 1);
        ASSERT_EQ(std::memcmp(all.data(), each.data(), all.size() * sizeof(T)), 0)
            << name << ", " << count << " elements, " << from << " to " << to;
      }
}

template <class T>
void expect_same(Element element) {
  for (const Kind op : {Kind::sum, Kind::prod, Kind::min, Kind::max}) {
    const Arithmetic kernels = arithmetic(op, element);
    expect_same_as_one_by_one<T>(kernels.into_left, objects::Op::name_of(op));
    expect_same_as_one_by_one<T>(kernels.into_right, objects::Op::name_of(op));
  }
}

TEST(Arithmetic, DoesNotDependOnWhereItsOperandsLie) {
  expect_same<float>(Element::float32);
  expect_same<double>(Element::float64);
  expect_same<std::int32_t>(Element::int32);
  expect_same<std::uint64_t>(Element::uint64);
  expect_same<std::int16_t>(Element::int16);
}

// The sanitizer of undefined behaviour would tell.
TEST(Arithmetic, KeepsTheLowBitsOfWhatIsTooLarge) {
  const auto most = std::numeric_limits<std::int32_t>::max();
  const std::int32_t other = 3;
  std::int32_t sum = most, product = most;
  arithmetic(Kind::sum, Element::int32).into_left(&other, &sum, 1);
  arithmetic(Kind::prod, Element::int32).into_left(&other, &product, 1);
  EXPECT_EQ(sum, std::numeric_limits<std::int32_t>::min() + 2);
  EXPECT_EQ(product, most - 2);
}

// As Fortran's REAL(16), COMPLEX(16) and INTEGER(16); in packets and boards they lie at multiples of 8.
template <class T>
T combined_at_eight(Kind op, Element element, T left, T right) {
  alignas(16) std::byte lines[2][sizeof(T) + 8];
  std::memcpy(lines[0] + 8, &left, sizeof left);
  std::memcpy(lines[1] + 8, &right, sizeof right);
  arithmetic(op, element).into_left(lines[1] + 8, lines[0] + 8, 1);
  T result;
  std::memcpy(&result, lines[0] + 8, sizeof result);
  return result;
}

TEST(Arithmetic, KeepsAllBitsOfNumbersOf128Bits) {
  const base::Binary128 one = 1, tiny = one / (1ull << 60) / (1ull << 50), nan = __builtin_nan("");
  const auto real = [](Kind op, base::Binary128 left, base::Binary128 right) {
    return combined_at_eight(op, Element::float128, left, right);
  };
  EXPECT_TRUE(real(Kind::sum, one, tiny) - one == tiny);
  EXPECT_TRUE(real(Kind::prod, one + tiny, 3) == 3 + 3 * tiny);
  EXPECT_TRUE(real(Kind::min, one, one + tiny) == one);
  EXPECT_TRUE(real(Kind::max, one, one + tiny) == one + tiny);
  const base::Binary128 sum = real(Kind::sum, nan, one);
  EXPECT_EQ(std::memcmp(&sum, &nan, sizeof sum), 0);

  using Complex = std::complex<base::Binary128>;
  const Complex product = combined_at_eight<Complex>(Kind::prod, Element::complex256, {1, 2}, {3, tiny});
  EXPECT_TRUE(product.real() == 3 - 2 * tiny && product.imag() == 6 + tiny);

  const base::Int128 much = base::Int128{1} << 100;
  EXPECT_TRUE(combined_at_eight<base::Int128>(Kind::sum, Element::int128, much, 1) == much + 1);
  EXPECT_TRUE(combined_at_eight<base::Int128>(Kind::prod, Element::int128, much, 1 << 28) == 0);
  EXPECT_TRUE(combined_at_eight<base::Int128>(Kind::min, Element::int128, -much, 1) == -much);
  EXPECT_TRUE(combined_at_eight<base::Int128>(Kind::bor, Element::int128, much, 1) == much + 1);
  EXPECT_TRUE(combined_at_eight<base::Int128>(Kind::land, Element::int128, much, 0) == 0);
}

}  // namespace
}  // namespace antiphon::coll
