// What happened in a simulation, in order. Two runs of one seed are the same if and only if their traces are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace antiphon::sim {

struct TraceEvent {
  enum class What : std::uint8_t { packet, park, wake, finish };
  std::uint64_t time;
  What what;
  int rank;
  int peer = -1;
  int handler = 0;
  std::uint32_t context = 0;
  int tag = 0;
  std::size_t bytes = 0;
  bool operator==(const TraceEvent&) const = default;
};

using Trace = std::vector<TraceEvent>;

[[nodiscard]] std::string to_string(const Trace& trace);

}  // namespace antiphon::sim
