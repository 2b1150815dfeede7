// Every pattern under the simulator: 1, 2, 3, 5, 8 and 16 ranks, over networks from easy to hostile, seed after seed.
#include <gtest/gtest.h>

#include <ostream>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "patterns.hpp"
#include "seeds.hpp"
#include "sim_party.hpp"

namespace antiphon::patterns {

static void PrintTo(const Pattern& pattern, std::ostream* to) { *to << pattern.name; }

namespace {

transport::sim::Conditions conditions(base::Rng& rng) {
  constexpr std::size_t kPayloads[] = {8, 9, 64, 256};
  constexpr std::size_t kEager[] = {0, 8, 64, 300};
  constexpr std::size_t kInFlight[] = {1, 2, 5, 100};
  constexpr std::uint64_t kDelays[] = {1, 10, 300};
  constexpr unsigned kRefusals[] = {0, 0, 10, 50};
  return {.capabilities = {.max_payload = rng.pick(kPayloads), .eager_limit = rng.pick(kEager)},
          .packets_per_pair = rng.pick(kInFlight),
          .max_delay = rng.pick(kDelays),
          .refuse_percent = rng.pick(kRefusals)};
}

// What went wrong, or nothing.
std::string complaint(const Pattern& pattern, int ranks, std::uint64_t seed) {
  base::Rng rng(seed);
  const transport::sim::Conditions network = conditions(rng);
  sim::World world(ranks, network, seed);
  try {
    return world.run([&](sim::Rank& rank) {
      SimParty me(rank, ranks, network.capabilities);
      pattern.run(me);
    });
  } catch (const std::exception& wrong) {
    return wrong.what();
  } catch (const base::Error& error) {
    return error.message;
  }
}

class SimPatterns : public testing::TestWithParam<Pattern> {};
INSTANTIATE_TEST_SUITE_P(Every, SimPatterns, testing::ValuesIn(all()),
                         [](const auto& pattern) { return pattern.param.name; });

TEST_P(SimPatterns, HoldForEverySeed) {
  const auto [first, last] = sim::seeds(30);
  for (const int ranks : {1, 2, 3, 5, 8, 16})
    for (std::uint64_t seed = first; seed <= last; ++seed)
      ASSERT_EQ(complaint(GetParam(), ranks, seed), "")
          << GetParam().name << " on " << ranks << " ranks; replay with: ANTIPHON_SIM_SEED=" << seed;
}

}  // namespace
}  // namespace antiphon::patterns
