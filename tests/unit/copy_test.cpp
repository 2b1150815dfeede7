// Copies of every length around the limits between their ways, from and to every place in a line: the bytes arrive,
// and those beside them stay.
#include "base/copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace antiphon::base {
namespace {

constexpr std::size_t kLine = 64;
constexpr auto kUntouched = std::byte{0xee};

void expect_copied(std::size_t bytes, std::size_t from_at, std::size_t to_at) {
  std::vector<std::byte> from(from_at + bytes), to(to_at + bytes + kLine, kUntouched);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i % 199);
  copy_bytes(to.data() + to_at, from.data() + from_at, bytes);
  const auto begin = to.begin() + static_cast<std::ptrdiff_t>(to_at);
  const auto end = begin + static_cast<std::ptrdiff_t>(bytes);
  const auto untouched = [](std::byte byte) { return byte == kUntouched; };
  EXPECT_TRUE(std::equal(begin, end, from.begin() + static_cast<std::ptrdiff_t>(from_at)) &&
              std::all_of(to.begin(), begin, untouched) && std::all_of(end, to.end(), untouched))
      << bytes << " bytes from " << from_at << " to " << to_at;
}

TEST(Copy, BringsAllBytesAndNoOthers) {
  for (std::size_t bytes = 0; bytes < 200; ++bytes) expect_copied(bytes, 3, 5);
  for (std::size_t bytes = kLeastLong - 2; bytes < kLeastLong + 200; ++bytes) expect_copied(bytes, 3, 5);
  for (const std::size_t bytes : {kLeastLong + 1, std::size_t{4096}, std::size_t{5001}})
    for (std::size_t from_at = 0; from_at < kLine; from_at += 7)
      for (std::size_t to_at = 0; to_at < kLine; ++to_at) expect_copied(bytes, from_at, to_at);
  for (const std::size_t bytes : {(std::size_t{1} << 20) - 1, std::size_t{1} << 20, (std::size_t{1} << 20) + 1})
    expect_copied(bytes, 1, 2);
}

TEST(Copy, ToTheSamePlaceChangesNothing) {
  std::vector<std::byte> bytes(4099, std::byte{7});
  copy_bytes(bytes.data(), bytes.data(), bytes.size());
  EXPECT_EQ(bytes, std::vector<std::byte>(4099, std::byte{7}));
}

}  // namespace
}  // namespace antiphon::base
