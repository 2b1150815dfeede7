// Which elements of a window's member are accumulated under one section.
#include "engine/rma/control.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace antiphon::rma {
namespace {

constexpr int kRanks = 3;

class Words {
 public:
  [[nodiscard]] std::byte* start() { return Control::aligned(memory_.data()); }

 private:
  std::vector<std::byte> memory_ = std::vector<std::byte>(Control::bytes(kRanks) + Control::kAlignment);
};

// Blocks of `block` bytes, each under another section than the next.
void expect_blocks(const Control& control, std::uint64_t block) {
  for (const std::uint64_t start : {std::uint64_t{0}, 5 * block}) {
    const std::uint64_t last = start + block - 1;
    EXPECT_TRUE(control.is_one_block(start, last));
    EXPECT_FALSE(control.is_one_block(last, last + 1));
    EXPECT_EQ(&control.section(start), &control.section(last));
    EXPECT_NE(&control.section(last), &control.section(last + 1));
    EXPECT_EQ(control.room_at(start), block);
    EXPECT_EQ(control.room_at(last), 1u);
  }
}

TEST(Control, HasASectionForEachBlockInTurn) {
  Words words;
  expect_blocks(Control(words.start(), kRanks), 16384);
}

TEST(Control, HasBlocksOfTheLengthThatIsAskedForOrTheNextPowerOfTwo) {
  const std::pair<std::uint64_t, std::uint64_t> asked_and_made[] = {
      {1, 8}, {8, 8}, {9, 16}, {4096, 4096}, {1'000'000, 1u << 20}, {UINT64_MAX, std::uint64_t{1} << 40}};
  for (const auto& [asked, made] : asked_and_made) {
    Words words;
    Control::decide(words.start(), asked);
    expect_blocks(Control(words.start(), kRanks), made);
  }
}

}  // namespace
}  // namespace antiphon::rma
