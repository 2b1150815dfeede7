// Cookies: which of them name an operation, for whom, and how long.
#include "engine/links/pending.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace antiphon::links {
namespace {

using Gets = Pending<std::string, PendingKind::get>;

TEST(Pending, FindsWhatWasAddedUntilItEnds) {
  Gets gets;
  const Cookie cookie = gets.add(3, "first");
  EXPECT_NE(cookie, 0u);
  ASSERT_NE(gets.find(cookie, 3), nullptr);
  EXPECT_EQ(*gets.find(cookie, 3), "first");
  EXPECT_EQ(&gets[cookie], gets.find(cookie, 3));
  gets.end(cookie);
  EXPECT_EQ(gets.find(cookie, 3), nullptr);
}

TEST(Pending, FindsNothingForAnotherProcess) {
  Gets gets;
  const Cookie cookie = gets.add(3, "first");
  EXPECT_EQ(gets.find(cookie, 2), nullptr);
}

TEST(Pending, FindsNothingByTheCookieOfAnotherKind) {
  Gets gets;
  Pending<std::string, PendingKind::fetch> fetches;
  const Cookie get = gets.add(3, "get"), fetch = fetches.add(3, "fetch");
  EXPECT_EQ(gets.find(fetch, 3), nullptr);
  EXPECT_EQ(fetches.find(get, 3), nullptr);
}

TEST(Pending, FindsNothingByTheCookieOfAnEarlierOperationInTheSamePlace) {
  Gets gets;
  std::set<Cookie> seen;
  for (int i = 0; i < 100; ++i) {
    const Cookie cookie = gets.add(3, "again");
    EXPECT_TRUE(seen.insert(cookie).second);
    for (const Cookie old : seen) EXPECT_EQ(gets.find(old, 3) != nullptr, old == cookie);
    gets.end(cookie);
  }
}

TEST(Pending, FindsNothingByOtherNumbers) {
  Gets gets;
  const Cookie cookie = gets.add(3, "first");
  for (int bit = 0; bit < 64; ++bit) EXPECT_EQ(gets.find(cookie ^ Cookie{1} << bit, 3), nullptr) << bit;
  EXPECT_EQ(gets.find(0, 3), nullptr);
  EXPECT_EQ(gets.find(UINT64_MAX, 3), nullptr);
}

TEST(Pending, LeavesOperationsWhereTheyAre) {
  Gets gets;
  const Cookie first = gets.add(3, "first");
  const std::string* const place = &gets[first];
  for (int i = 0; i < 1000; ++i) (void)gets.add(3, "more");
  EXPECT_EQ(&gets[first], place);
  EXPECT_EQ(*place, "first");
}

}  // namespace
}  // namespace antiphon::links
