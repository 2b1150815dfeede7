// The engine against the naive matcher, seed after seed.
#include <gtest/gtest.h>

#include <iostream>

#include "seeds.hpp"
#include "traffic.hpp"

namespace antiphon::sim {
namespace {

TEST(Traffic, AgreesWithTheNaiveMatcherForEverySeed) {
  const auto [first, last] = seeds(2000);
  std::size_t matches = 0, probes = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const Verdict verdict = run_traffic(seed);
    matches += verdict.matches;
    probes += verdict.probes;
    if (number_from("ANTIPHON_SIM_TRACE", 0) != 0) std::cout << to_string(verdict.trace);
    ASSERT_EQ(verdict.complaint, "") << "replay with: ANTIPHON_SIM_SEED=" << seed
                                     << " ANTIPHON_SIM_TRACE=1 bin/sim_test --gtest_filter=Traffic.*";
  }
  RecordProperty("matches", std::to_string(matches));
  RecordProperty("probes", std::to_string(probes));
  EXPECT_GT(matches, 0u);
}

}  // namespace
}  // namespace antiphon::sim
