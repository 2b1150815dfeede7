// Groups against sets kept as plain vectors; and what a million ranks cost.
#include "objects/group.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "abi/constants.hpp"
#include "base/rng.hpp"
#include "objects/group_operations.hpp"

namespace antiphon::objects {
namespace {

using Ranks = std::vector<int>;

Ranks ranks_of(const Group& group) {
  Ranks ranks;
  for (int rank = 0; rank < group.size(); ++rank) ranks.push_back(group.world_rank(rank));
  return ranks;
}

bool has(const Ranks& ranks, int process) { return std::ranges::find(ranks, process) != ranks.end(); }

// Everything from single runs to shuffled crowds.
Ranks random_ranks(base::Rng& rng) {
  Ranks ranks(static_cast<std::size_t>(rng.below(60)));
  std::iota(ranks.begin(), ranks.end(), rng.below(20));
  if (rng.percent(30)) std::ranges::reverse(ranks);
  if (rng.percent(30)) std::erase_if(ranks, [](int rank) { return rank % 3 == 1; });
  if (rng.percent(30)) std::erase_if(ranks, [&](int) { return rng.percent(20); });
  if (rng.percent(30)) rng.shuffle(ranks);
  return ranks;
}

TEST(Group, KnowsItsMembersInTheOrderGiven) {
  base::Rng rng(1);
  for (int round = 0; round < 2000; ++round) {
    const Ranks ranks = random_ranks(rng);
    const Group group(ranks);
    ASSERT_EQ(ranks_of(group), ranks);
    const RankIndex index(group);
    for (int process = 0; process < 90; ++process) {
      const auto at = std::ranges::find(ranks, process);
      const int expected = at == ranks.end() ? -1 : static_cast<int>(at - ranks.begin());
      ASSERT_EQ(group.rank_of(process), expected);
      ASSERT_EQ(index.rank_of(process), expected);
    }
  }
}

TEST(Group, SetOperationsKeepTheStandardsOrder) {
  base::Rng rng(2);
  for (int round = 0; round < 2000; ++round) {
    const Ranks a = random_ranks(rng), b = random_ranks(rng);
    Ranks both = a, common, rest;
    for (const int process : b)
      if (!has(a, process)) both.push_back(process);
    for (const int process : a) (has(b, process) ? common : rest).push_back(process);
    const Group first(a), second(b);
    ASSERT_EQ(ranks_of(*group_union(first, second)), both);
    ASSERT_EQ(ranks_of(*group_intersection(first, second)), common);
    ASSERT_EQ(ranks_of(*group_difference(first, second)), rest);
  }
}

TEST(Group, ComparesAndTranslates) {
  base::Rng rng(3);
  for (int round = 0; round < 2000; ++round) {
    Ranks a = random_ranks(rng), b = random_ranks(rng);
    const Group first(a), second(b);
    Ranks asked(a.size()), answers(a.size());
    std::iota(asked.begin(), asked.end(), 0);
    if (!asked.empty()) asked.front() = abi::PROC_NULL;
    group_translate(first, asked, second, answers);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto at = std::ranges::find(b, a[i]);
      const int expected = at == b.end() ? abi::UNDEFINED : static_cast<int>(at - b.begin());
      ASSERT_EQ(answers[i], asked[i] == abi::PROC_NULL ? abi::PROC_NULL : expected);
    }
    Ranks shuffled = a;
    rng.shuffle(shuffled);
    EXPECT_EQ(group_compare(first, Group(a)), Likeness::identical);
    EXPECT_EQ(group_compare(first, Group(shuffled)), a == shuffled ? Likeness::identical : Likeness::similar);
    std::ranges::sort(a);
    std::ranges::sort(b);
    EXPECT_EQ(group_compare(first, second) == Likeness::unequal, a != b);
  }
}

TEST(Group, SelectsByRanksAndByRanges) {
  base::Rng rng(4);
  for (int round = 0; round < 2000; ++round) {
    const Ranks all = random_ranks(rng);
    if (all.empty()) continue;
    const Group group(all);
    Ranks chosen(all.size());
    std::iota(chosen.begin(), chosen.end(), 0);
    rng.shuffle(chosen);
    chosen.resize(rng.below(all.size()));
    Ranks included, excluded;
    std::vector<bool> marked(all.size());
    for (const int rank : chosen) {
      included.push_back(all[static_cast<std::size_t>(rank)]);
      marked[static_cast<std::size_t>(rank)] = true;
    }
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      if (!marked[rank]) excluded.push_back(all[rank]);
    ASSERT_EQ(ranks_of(*group_include(group, chosen)), included);
    ASSERT_EQ(ranks_of(*group_exclude(group, marked)), excluded);

    const int last = group.size() - 1;
    const RankRange down{.first = last, .count = last / 2 + 1, .stride = -2};
    Ranks by_range;
    for (int rank = last; rank >= 0; rank -= 2) by_range.push_back(all[static_cast<std::size_t>(rank)]);
    ASSERT_EQ(ranks_of(*group_include(group, std::span(&down, 1))), by_range);
  }
}

TEST(Group, OfAMillionRanksFromRangesTakesKilobytes) {
  constexpr int kMillion = 1'000'000;
  const Group world(2 * kMillion);
  std::vector<RankRange> ranges;
  for (int i = 0; i < 10; ++i) ranges.push_back({.first = i * kMillion / 5, .count = kMillion / 10, .stride = 2});
  const Ref<Group> even = group_include(world, ranges);
  EXPECT_EQ(even->size(), kMillion);
  EXPECT_EQ(even->world_rank(kMillion - 1), 2 * kMillion - 2);
  EXPECT_LT(even->memory_bytes(), 1024u);
  const Ref<Group> odd = group_difference(world, *even);
  EXPECT_LT(odd->memory_bytes(), 4096u);
  EXPECT_EQ(odd->world_rank(0), 1);
  const Ref<Group> all = group_union(*even, *odd);
  EXPECT_EQ(all->size(), 2 * kMillion);
  EXPECT_LT(all->memory_bytes(), 4096u);
  EXPECT_EQ(group_compare(*all, world), Likeness::similar);
  EXPECT_EQ(group_intersection(*even, *odd)->size(), 0);
}

// Where runs would cost more than a table, a table it is.
TEST(Group, OfRandomRanksTakesNoMoreThanATable) {
  Ranks ranks(100'000);
  std::iota(ranks.begin(), ranks.end(), 0);
  base::Rng(5).shuffle(ranks);
  const Group group(ranks);
  EXPECT_EQ(ranks_of(group), ranks);
  EXPECT_LE(group.memory_bytes(), sizeof(Group) + ranks.size() * sizeof(int));
}

}  // namespace
}  // namespace antiphon::objects
