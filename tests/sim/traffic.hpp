// Runs a Program in a World and holds every match, probe, status and byte against the naive matcher.
#pragma once

#include <cstdint>
#include <string>

#include "trace.hpp"

namespace antiphon::sim {

struct Verdict {
  std::string complaint;  // empty: all was as it should be
  Trace trace;
  std::size_t matches = 0;
  std::size_t probes = 0;  // that were compared
};

[[nodiscard]] Verdict run_traffic(std::uint64_t seed);

}  // namespace antiphon::sim
