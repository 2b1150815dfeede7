// How pipes divide the memory that they share (engine/pt2pt/pipe_blocks.hpp).
#include "engine/pt2pt/pipe_blocks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "base/rng.hpp"

namespace antiphon::pt2pt {
namespace {

constexpr std::uint32_t kMemory = 4096, kLongest = 1024;
constexpr unsigned kPipes = 16;

// Knows which bytes have pages: those that some block has had and that were not released since.
class Blocks : public testing::Test {
 protected:
  bool fit(unsigned pipe) {
    const bool has_block = blocks_.fit(pipe, [&](unsigned other) { return busy_.contains(other); });
    EXPECT_EQ(has_block, blocks_.has(pipe));
    touch(blocks_.of(pipe), true);
    return has_block;
  }
  void touch(const PipeBlocks::Block& block, bool has_pages) {
    ASSERT_LE(block.end(), kMemory);
    for (std::uint32_t at = block.offset; at < block.end(); ++at) pages_[at] = has_pages;
  }
  void expect_pages_where_blocks_are() {
    std::array<int, kMemory> owners{};
    for (unsigned pipe = 0; pipe < kPipes; ++pipe)
      for (std::uint32_t at = blocks_.of(pipe).offset; at < blocks_.of(pipe).end(); ++at) ++owners[at];
    for (std::uint32_t at = 0; at < kMemory; ++at) {
      ASSERT_LE(owners[at], 1) << "two blocks at " << at;
      ASSERT_LE(pages_[at], owners[at]) << "nobody's page at " << at;
    }
  }

  std::array<bool, kMemory> pages_{};
  std::set<unsigned> busy_;
  PipeBlocks blocks_{kMemory, kPipes, kLongest, [this](const PipeBlocks::Block& block) { touch(block, false); }};
};

TEST_F(Blocks, AreAsLongAsTheyMayBeForFourPipes) {
  for (unsigned pipe = 0; pipe < 4; ++pipe) {
    busy_.insert(pipe);
    EXPECT_TRUE(fit(pipe));
    EXPECT_EQ(blocks_.of(pipe).bytes, kLongest);
  }
  expect_pages_where_blocks_are();
}

TEST_F(Blocks, GetShorterWhenThereAreMore) {
  for (unsigned pipe = 0; pipe < kPipes; ++pipe) EXPECT_TRUE(fit(pipe));
  for (unsigned pipe = 0; pipe < kPipes; ++pipe) EXPECT_TRUE(fit(pipe));
  for (unsigned pipe = 0; pipe < kPipes; ++pipe) EXPECT_EQ(blocks_.of(pipe).bytes, kMemory / kPipes);
  expect_pages_where_blocks_are();
}

TEST_F(Blocks, OfBusyPipesStayAndTheNextGetsItsShareWhenOneIsNotBusyAnyMore) {
  for (const unsigned pipe : {0u, 1u, 2u, 3u}) {
    busy_.insert(pipe);
    EXPECT_TRUE(fit(pipe));
  }
  EXPECT_FALSE(fit(4));
  EXPECT_EQ(blocks_.of(0).bytes, kLongest);
  busy_.erase(2);
  EXPECT_TRUE(fit(4));
  EXPECT_EQ(blocks_.of(2).bytes, kLongest / 2);
  EXPECT_EQ(blocks_.of(4).bytes, kLongest / 2);
  expect_pages_where_blocks_are();
}

TEST_F(Blocks, GetLongAgainWhenOthersAreDropped) {
  for (unsigned pipe = 0; pipe < 9; ++pipe) EXPECT_TRUE(fit(pipe));
  for (unsigned pipe = 1; pipe < 9; ++pipe) blocks_.drop(pipe);
  EXPECT_TRUE(fit(0));
  EXPECT_EQ(blocks_.of(0).bytes, kLongest);
  expect_pages_where_blocks_are();
}

TEST(PipeBlocks, OfOneAreAllOfIt) {
  PipeBlocks blocks(kMemory, 1, 2 * kMemory, [](const PipeBlocks::Block&) {});
  EXPECT_TRUE(blocks.fit(0, [](unsigned) { return false; }));
  EXPECT_EQ(blocks.of(0), (PipeBlocks::Block{0, kMemory}));
}

TEST_F(Blocks, NeverOverlapAndNothingButTheyHasPages) {
  base::Rng rng(5);
  for (int step = 0; step < 3000; ++step) {
    const auto pipe = static_cast<unsigned>(rng.below(kPipes));
    if (busy_.contains(pipe)) {
      busy_.erase(pipe);
    } else if (rng.percent(30)) {
      blocks_.drop(pipe);
    } else if (fit(pipe)) {
      busy_.insert(pipe);
    }
    expect_pages_where_blocks_are();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace antiphon::pt2pt
