// Many elements at once are combined as each of them is by itself, to the bit, wherever the operands lie.
#include "engine/coll/arithmetic.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

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

}  // namespace
}  // namespace antiphon::coll
