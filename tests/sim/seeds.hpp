// Which seeds a test runs, as its environment says.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace antiphon::sim {

inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct Seeds {
  std::uint64_t first, last;
};

// As many as `variable` says, or `otherwise`, and ten times as many in `make check-all`; ANTIPHON_SIM_SEED alone,
// where it is set.
inline Seeds seeds(std::uint64_t otherwise, const char* variable = "ANTIPHON_SIM_SEEDS") {
  if (std::getenv("ANTIPHON_SIM_SEED")) {
    const std::uint64_t one = number_from("ANTIPHON_SIM_SEED", 1);
    return {one, one};
  }
  return {1, number_from(variable, std::getenv("ANTIPHON_TEST_LONG") ? 10 * otherwise : otherwise)};
}

}  // namespace antiphon::sim
