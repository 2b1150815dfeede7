// Which rank runs on which host, against a model that deals out ranks one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>

#include "hosts/mapping.hpp"

namespace antiphon::launch {
namespace {

// The host of each rank. Every slot is a card with the name of its host, and ranks take cards until none is left;
// then all are there again. They take the first one, or go round the hosts; in the first case all ranks of a host are
// then put together.
std::vector<std::string> model(const std::vector<MappedPart>& parts, RankOrder order) {
  std::vector<std::string> hosts;
  for (const MappedPart& part : parts) {
    std::vector<std::size_t> taken;
    std::vector<int> cards(part.hosts.size());
    int left = 0;
    std::size_t at = 0;
    while (taken.size() < static_cast<std::size_t>(part.ranks)) {
      if (left == 0) {
        at = 0;
        for (std::size_t host = 0; host < cards.size(); ++host)
          left += cards[host] = std::max(part.hosts[host].slots, 1);
      }
      while (cards[at] == 0) at = (at + 1) % cards.size();
      --cards[at];
      --left;
      taken.push_back(at);
      if (order == RankOrder::by_node) at = (at + 1) % cards.size();
    }
    if (order == RankOrder::by_slot) std::ranges::sort(taken);
    for (const std::size_t host : taken) hosts.push_back(part.hosts[host].name);
  }
  return hosts;
}

std::vector<MappedPart> draw(std::mt19937& random) {
  const auto below = [&](int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random); };
  std::vector<MappedPart> parts(static_cast<std::size_t>(1 + below(3)));
  for (MappedPart& part : parts) {
    part.ranks = 1 + below(40);
    const int per_node = below(3) == 0 ? 1 + below(5) : 0;  // as ppr:N:node, which replaces all slots
    for (int host = 0; host < 9; ++host)
      if (part.hosts.empty() || below(2) == 0)
        part.hosts.push_back({.name = "h" + std::to_string(host),
                              .slots = per_node != 0 ? per_node : below(6),
                              .max_slots = below(4) == 0 ? 1 + below(12) : 0});
    std::ranges::shuffle(part.hosts, random);
  }
  return parts;
}

TEST(Mapping, AgreesWithTheModelForAnyHostsAndPrograms) {
  int refused = 0;
  constexpr int kSeeds = 4000;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::vector<MappedPart> parts = draw(random);
    for (const RankOrder order : {RankOrder::by_slot, RankOrder::by_node}) {
      const std::vector<std::string> expected = model(parts, order);
      // A limit that a program sets counts at the ranks of that program.
      std::map<std::string, int> used;
      bool is_too_much = false;
      std::size_t rank = 0;
      for (const MappedPart& part : parts)
        for (int i = 0; i < part.ranks; ++i, ++rank) {
          const int most = std::ranges::find(part.hosts, expected[rank], &HostSlots::name)->max_slots;
          is_too_much |= ++used[expected[rank]] > most && most > 0;
        }
      if (is_too_much) {
        EXPECT_THROW((void)map_ranks(parts, order), std::invalid_argument);
        ++refused;
        continue;
      }
      const Mapping mapping = map_ranks(parts, order);
      ASSERT_EQ(mapping.places.size(), expected.size());
      std::map<int, int> ranks_on;
      for (std::size_t at = 0; at < expected.size(); ++at) {
        const bootstrap::Place& place = mapping.places[at];
        ASSERT_EQ(mapping.nodes.at(static_cast<std::size_t>(place.node)), expected[at]);
        ASSERT_EQ(place.rank_on_node, ranks_on[place.node]++);  // dense, in the order of ranks
      }
      EXPECT_EQ(ranks_on.size(), mapping.nodes.size());  // no host without ranks
    }
  }
  EXPECT_GT(refused, kSeeds / 20);
  EXPECT_LT(refused, 2 * kSeeds * 19 / 20);
}

TEST(Mapping, RefusesMoreRanksThanAHostMayHaveAndSaysWhich) {
  const auto complaint = [](const std::vector<MappedPart>& parts) {
    try {
      (void)map_ranks(parts, RankOrder::by_slot);
    } catch (const std::invalid_argument& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  EXPECT_EQ(complaint({{.ranks = 5, .hosts = {{"a", 2, 4}, {"b", 1}}}}), "");
  EXPECT_EQ(complaint({{.ranks = 5, .hosts = {{"a", 2, 4}}}}), "host a would get more than 4 ranks, its max_slots");
  EXPECT_EQ(complaint({{.ranks = 3, .hosts = {{"a", 2, 4}}}, {.ranks = 2, .hosts = {{"a", 2, 4}}}}),
            "host a would get more than 4 ranks, its max_slots");
  EXPECT_EQ(complaint({{.ranks = 8193, .hosts = {{"a"}}}}), "host a would get more than 8192 ranks");
}

}  // namespace
}  // namespace antiphon::launch
