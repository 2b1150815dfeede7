// Pages follow each other around a memory, and none takes the place of one that somebody may still read.
#include "engine/coll/boards/page_ring.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "base/rng.hpp"

namespace antiphon::coll {
namespace {

constexpr std::size_t kBytes = 1024;

std::size_t take(PageRing& ring, std::size_t bytes, std::int64_t number,
                 std::vector<std::int64_t>* awaited = nullptr) {
  return ring.take(bytes, {number, 0}, [&](const PageRing::Use& use) {
    if (awaited) awaited->push_back(use.number);
  });
}

TEST(PageRing, PutsPagesBesideEachOtherAndGoesAround) {
  PageRing ring(kBytes);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(take(ring, 256, 1), i % 4 * 256);
}

TEST(PageRing, LeavesNoPageInTwoPieces) {
  PageRing ring(kBytes);
  EXPECT_EQ(take(ring, 640, 1), 0u);
  EXPECT_EQ(take(ring, 512, 2), 0u);
  EXPECT_EQ(take(ring, 512, 3), 512u);
}

TEST(PageRing, WaitsForTheReadersOfWhatItTakesTheirPlace) {
  PageRing ring(kBytes);
  std::vector<std::int64_t> awaited;
  for (std::int64_t number = 1; number <= 4; ++number) (void)take(ring, 256, number, &awaited);
  EXPECT_TRUE(awaited.empty());
  (void)take(ring, 384, 5, &awaited);
  EXPECT_EQ(awaited, (std::vector<std::int64_t>{1, 2}));
  (void)take(ring, 128, 6, &awaited);
  EXPECT_EQ(awaited, (std::vector<std::int64_t>{1, 2}));
  (void)take(ring, 1024, 7, &awaited);
  EXPECT_EQ(awaited, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(PageRing, HasNoMoreThanSomeUnread) {
  PageRing ring(std::size_t{1} << 20);
  std::vector<std::int64_t> awaited;
  for (std::int64_t number = 1; number <= static_cast<std::int64_t>(PageRing::kMost); ++number)
    (void)take(ring, 64, number, &awaited);
  EXPECT_TRUE(awaited.empty());
  (void)take(ring, 64, 65, &awaited);
  EXPECT_EQ(awaited, (std::vector<std::int64_t>{1}));
}

// Whatever lengths follow each other.
TEST(PageRing, NeverGivesOutWhatIsUnread) {
  base::Rng rng(7);
  PageRing ring(kBytes);
  struct Page {
    std::int64_t number;
    std::size_t begin, end;
  };
  std::deque<Page> unread;
  for (std::int64_t number = 1; number < 20'000; ++number) {
    const std::size_t bytes = 64 * (1 + rng.below(std::size_t{8}));
    const std::size_t begin = ring.take(bytes, {number, 0}, [&](const PageRing::Use& use) {
      while (!unread.empty() && unread.front().number <= use.number) unread.pop_front();
    });
    ASSERT_LE(begin + bytes, kBytes);
    for (const Page& page : unread) ASSERT_TRUE(page.end <= begin || begin + bytes <= page.begin) << number;
    unread.push_back({number, begin, begin + bytes});
  }
}

}  // namespace
}  // namespace antiphon::coll
