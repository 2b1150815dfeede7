// The engine against the naive matcher, seed after seed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "traffic.hpp"

namespace antiphon::sim {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(Traffic, AgreesWithTheNaiveMatcherForEverySeed) {
  std::uint64_t first = 1, last = number_from("ANTIPHON_SIM_SEEDS", 2000);
  if (std::getenv("ANTIPHON_SIM_SEED")) first = last = number_from("ANTIPHON_SIM_SEED", 1);
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
