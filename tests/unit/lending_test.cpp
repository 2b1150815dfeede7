// When the root of a long broadcast lends its memory: three ranks that share a board, with a clock and costs that the
// test says.
#include "engine/coll/boards/lending.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace antiphon::coll {
namespace {

class Broadcasting : public testing::Test {
 protected:
  static constexpr int kRanks = 3;
  static constexpr std::size_t kBytes = 100'000, kMore = 1'000'000;

  // All broadcast. Who reads comes late, takes as long as that way of giving costs, or refuses; of what is lent the
  // last one takes longer. How the root gave it.
  Given broadcast(int root, std::size_t bytes = kBytes) {
    std::vector<Lending::Broadcast> on_rank(kRanks);
    const auto of = [&](int rank) -> Lending::Broadcast& { return on_rank[static_cast<std::size_t>(rank)]; };
    const auto begin = [&](int rank) { of(rank) = at(rank).begin({nullptr, bytes}, root); };
    begin(root);
    const Lending::Broadcast said = of(root);
    now_ += late_;
    for (int rank = 0; rank < kRanks; ++rank)
      if (rank != root) begin(rank);
    const bool is_lent = said.given == Given::lent;
    now_ += is_lent ? lent_ : on_pages_;
    for (int rank = 0; rank < kRanks; ++rank) {
      if (rank == root) continue;
      at(rank).hear(of(rank), said.given, said.began);
      if (is_lent && rank == refusing_) at(rank).refuse(root);
      at(rank).end(of(rank));
    }
    if (is_lent) {
      now_ += lent_to_last_ - lent_;
      EXPECT_EQ(at(root).all_could_read(), refusing_ < 0);
    }
    at(root).end(said);
    return said.given;
  }
  int lent_of(int times, int root, std::size_t bytes = kBytes) {
    int lent = 0;
    for (int i = 0; i < times; ++i) lent += broadcast(root, bytes) == Given::lent ? 1 : 0;
    return lent;
  }
  Lending& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  void fix(Given given) {
    ranks_.clear();
    for (int rank = 0; rank < kRanks; ++rank) ranks_.emplace_back(memory(), rank, given, clock_);
  }
  BoardMemory memory() { return {reinterpret_cast<std::byte*>(lines_.data()), kRanks}; }

  std::uint64_t now_ = 1, late_ = 0, on_pages_ = 1000, lent_ = 3000, lent_to_last_ = 3000;
  int refusing_ = -1;
  const pt2pt::Clock clock_ = [this] { return now_; };
  struct alignas(base::kCacheLinePair) Line {
    std::byte bytes[base::kCacheLinePair]{};
  };
  std::vector<Line> lines_{BoardMemory::bytes(kRanks) / sizeof(Line) + 1};
  std::vector<Lending> ranks_{{memory(), 0, {}, clock_}, {memory(), 1, {}, clock_}, {memory(), 2, {}, clock_}};
};

class LentFaster : public Broadcasting {
 protected:
  LentFaster() { lent_ = lent_to_last_ = 500; }

  // Costs of the same value are one sample.
  int learn(int root, std::size_t bytes = kBytes) {
    const int lent = lent_of(40, root, bytes);
    ++on_pages_;
    return lent + lent_of(25, root, bytes);
  }
};

TEST_F(Broadcasting, IsTriedToBeLentTwiceInAThousandTimes) { EXPECT_EQ(lent_of(1000, 0), 2); }

TEST_F(LentFaster, IsLentAfterAFew) {
  EXPECT_EQ(learn(0), 3);
  EXPECT_EQ(lent_of(900, 0), 900);
}

TEST_F(LentFaster, IsLearnedForEachRootAndRangeOfLengths) {
  learn(0);
  EXPECT_EQ(lent_of(5, 0), 5);
  EXPECT_EQ(lent_of(5, 1), 0);
  EXPECT_EQ(lent_of(5, 0, kMore), 0);
  learn(2, kMore);
  EXPECT_EQ(lent_of(5, 2, kMore), 5);
  EXPECT_EQ(lent_of(5, 2), 0);
}

TEST_F(LentFaster, IsOnPagesAgainWhereThatHasBecomeFaster) {
  learn(0);
  lent_ = lent_to_last_ = 5000;
  lent_of(1100, 0);
  EXPECT_EQ(broadcast(0), Given::on_pages);
}

// The root waits for all of them.
TEST_F(LentFaster, IsNotLentWhereOneReaderIsSlow) {
  lent_to_last_ = 2000;
  EXPECT_EQ(learn(0), 2);
  EXPECT_EQ(lent_of(900, 0), 0);
}

TEST_F(LentFaster, IsLentThoughReadersComeLate) {
  late_ = 100'000;
  EXPECT_EQ(learn(0), 3);
}

TEST_F(LentFaster, LendsNoMoreWhereSomebodyMayNotRead) {
  refusing_ = 2;
  EXPECT_EQ(learn(0), 1);
  EXPECT_EQ(lent_of(3000, 0), 0);
  refusing_ = -1;
  EXPECT_EQ(lent_of(100, 0), 0);
  learn(1);
  EXPECT_EQ(lent_of(5, 1), 5);
}

TEST_F(Broadcasting, IsLentAlwaysOrNeverWhereThatIsAskedFor) {
  fix(Given::lent);
  EXPECT_EQ(lent_of(100, 0), 100);
  fix(Given::on_pages);
  EXPECT_EQ(lent_of(100, 0), 0);
}

}  // namespace
}  // namespace antiphon::coll
