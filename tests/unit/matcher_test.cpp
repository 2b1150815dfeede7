// The matcher by itself: who takes what, in which order.
#include "engine/pt2pt/matcher.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "base/rng.hpp"

namespace antiphon::pt2pt {
namespace {

constexpr objects::MessageSpace kContext(2, objects::MessageKind::user);

class Numbered final : public Unexpected {
 public:
  Numbered(const Envelope& sent, int named) : Unexpected(sent, 0, 0), number(named) {}
  void give_to(ReceiveRequest&, const base::LaneHeld&) override {}

  const int number;
};
int number_of(const Unexpected& message) { return static_cast<const Numbered&>(message).number; }

class MatcherTest : public testing::Test {
 protected:
  // Posts; the number of the message that it took, or -1.
  int post(const Envelope& wanted) {
    ReceiveRequest& receive = receives_.emplace_back(pool_);
    receive.wanted = wanted;
    if (Unexpected* message = matcher_.peek(wanted)) return number_of(*matcher_.take(*message));
    matcher_.post(receive);
    return -1;
  }
  // Brings message `number`; the number of the receive that took it, or -1, in which case it is held.
  int arrive(const Envelope& sent, int number) {
    if (const ReceiveRequest* receive = matcher_.arrive(sent)) {
      for (std::size_t i = 0; i < receives_.size(); ++i)
        if (&receives_[i] == receive) return static_cast<int>(i);
      ADD_FAILURE() << "a receive that was never posted";
    }
    matcher_.hold(std::make_unique<Numbered>(sent, number));
    return -1;
  }

  ReceiveRequest::Pool pool_;
  std::deque<ReceiveRequest> receives_;
  Matcher matcher_;
};

TEST_F(MatcherTest, TakesMessagesOfOneLabelInTheOrderOfTheirArrival) {
  EXPECT_EQ(arrive({kContext, 0, 7}, 10), -1);
  EXPECT_EQ(arrive({kContext, 0, 7}, 11), -1);
  EXPECT_EQ(post({kContext, 0, 7}), 10);
  EXPECT_EQ(post({kContext, 0, 7}), 11);
  EXPECT_EQ(post({kContext, 0, 7}), -1);
}

TEST_F(MatcherTest, GivesAMessageToTheReceivePostedFirst) {
  post({kContext, 0, 7});
  post({kContext, 0, 7});
  EXPECT_EQ(arrive({kContext, 0, 7}, 1), 0);
  EXPECT_EQ(arrive({kContext, 0, 7}, 2), 1);
  EXPECT_EQ(arrive({kContext, 0, 7}, 3), -1);
}

TEST_F(MatcherTest, PutsAReceiveBackWhereItWasAmongWildcardsAndAmongOthersOfItsLabel) {
  post({kContext, abi::ANY_SOURCE, 5});
  post({kContext, abi::ANY_SOURCE, abi::ANY_TAG});
  post({kContext, abi::ANY_SOURCE, 7});
  for (int again = 0; again < 2; ++again) {
    ASSERT_EQ(arrive({kContext, 0, 7}, 1), 1);
    matcher_.post_again(receives_[1]);
  }
  EXPECT_EQ(arrive({kContext, 0, 5}, 2), 0);
  EXPECT_EQ(arrive({kContext, 0, 7}, 3), 1);
  EXPECT_EQ(arrive({kContext, 0, 7}, 4), 2);
  post({kContext, 0, 7});
  post({kContext, 0, 7});
  ASSERT_EQ(arrive({kContext, 0, 7}, 5), 3);
  matcher_.post_again(receives_[3]);
  EXPECT_EQ(arrive({kContext, 0, 7}, 6), 3);
  EXPECT_EQ(arrive({kContext, 0, 7}, 7), 4);
}

TEST_F(MatcherTest, PrefersAnEarlierWildcardToALaterExactReceive) {
  post({kContext, abi::ANY_SOURCE, abi::ANY_TAG});
  post({kContext, 0, 7});
  EXPECT_EQ(arrive({kContext, 0, 7}, 1), 0);
  EXPECT_EQ(arrive({kContext, 0, 7}, 2), 1);
}

TEST_F(MatcherTest, PrefersAnEarlierExactReceiveToALaterWildcard) {
  post({kContext, 0, 7});
  post({kContext, abi::ANY_SOURCE, 7});
  EXPECT_EQ(arrive({kContext, 0, 7}, 1), 0);
  EXPECT_EQ(arrive({kContext, 1, 7}, 2), 1);
}

TEST_F(MatcherTest, LetsAWildcardTakeWhatCameFirstFromAnyone) {
  arrive({kContext, 3, 1}, 10);
  arrive({kContext, 0, 2}, 11);
  arrive({kContext, 3, 2}, 12);
  EXPECT_EQ(post({kContext, abi::ANY_SOURCE, 2}), 11);
  EXPECT_EQ(post({kContext, 3, abi::ANY_TAG}), 10);
  EXPECT_EQ(post({kContext, abi::ANY_SOURCE, abi::ANY_TAG}), 12);
}

TEST_F(MatcherTest, KeepsContextsApart) {
  post({kContext, abi::ANY_SOURCE, abi::ANY_TAG});
  EXPECT_EQ(arrive({kContext.of_kind(objects::MessageKind::collective), 0, 7}, 1), -1);
  EXPECT_EQ(post({kContext, 0, 7}), -1);
  EXPECT_EQ(post({kContext.of_kind(objects::MessageKind::collective), 0, 7}), 1);
}

TEST_F(MatcherTest, PeeksWithoutTaking) {
  EXPECT_FALSE(matcher_.has_unexpected());
  EXPECT_EQ(matcher_.peek({kContext, 0, 7}), nullptr);
  arrive({kContext, 0, 7}, 10);
  for (int times = 0; times < 2; ++times) {
    ASSERT_NE(matcher_.peek({kContext, abi::ANY_SOURCE, 7}), nullptr);
    EXPECT_EQ(number_of(*matcher_.peek({kContext, abi::ANY_SOURCE, 7})), 10);
  }
  EXPECT_EQ(matcher_.peek({kContext, 0, 8}), nullptr);
  EXPECT_EQ(post({kContext, 0, 7}), 10);
  EXPECT_FALSE(matcher_.has_unexpected());
}

TEST_F(MatcherTest, ForgetsAWithdrawnReceive) {
  post({kContext, 0, 7});
  post({kContext, abi::ANY_SOURCE, 7});
  matcher_.withdraw(receives_[0]);
  EXPECT_EQ(arrive({kContext, 0, 7}, 1), 1);
  EXPECT_EQ(arrive({kContext, 0, 7}, 2), -1);
}

// 4,000 sources and tags share 256 buckets: neighbours in a bucket must not be taken for each other.
TEST_F(MatcherTest, TellsLabelsApartThatShareABucket) {
  std::vector<Envelope> labels;
  for (int source = 0; source < 40; ++source)
    for (int tag = 0; tag < 100; ++tag) labels.push_back({kContext, source, tag});
  for (std::size_t i = 0; i < labels.size(); ++i) ASSERT_EQ(arrive(labels[i], static_cast<int>(i)), -1);
  std::vector<int> order(labels.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  base::Rng rng(5);
  rng.shuffle(order);
  for (const int i : order) ASSERT_EQ(post(labels[static_cast<std::size_t>(i)]), i);
}

// Tens of thousands of labels in either queue, which have to be found again, those of one label in order, while the
// tables grow.
TEST_F(MatcherTest, FindsEachOfManyLabels) {
  constexpr int kLabels = 20'000;
  for (int twice = 0; twice < 2; ++twice)
    for (int i = 0; i < kLabels; ++i) EXPECT_EQ(arrive({kContext, i % 7, i}, twice * kLabels + i), -1);
  for (int twice = 0; twice < 2; ++twice)
    for (int i = kLabels - 1; i >= 0; --i) ASSERT_EQ(post({kContext, i % 7, i}), twice * kLabels + i);
  std::vector<int> first;
  for (int i = 0; i < kLabels; ++i) {
    first.push_back(static_cast<int>(receives_.size()));
    ASSERT_EQ(post({kContext, i % 7, i}), -1);
  }
  for (int i = kLabels - 1; i >= 0; --i) {
    const ReceiveRequest* receive = matcher_.arrive({kContext, i % 7, i});
    ASSERT_EQ(receive, &receives_[static_cast<std::size_t>(first[static_cast<std::size_t>(i)])]);
  }
}

}  // namespace
}  // namespace antiphon::pt2pt
