#include "engine/coll/model.hpp"

#include <algorithm>
#include <cmath>

namespace antiphon::coll {

// Where ranks share cores, every rank has had a turn on them before an answer arrives, and the cores do the work of
// all ranks, unless one process has more to do than a core's share. That process moves only the bytes that it
// combines; other bytes are moved by their receivers.
double Estimate::nanoseconds(const Case& what, const Machine& machine) const {
  const Machine::Network& network = machine.network(what);
  const double here = messages * machine.gap + copied * machine.copied_byte + combined * machine.combined_byte;
  if (!machine.crowded(what)) return steps * network.latency + bytes * network.byte + here + parts;
  const double alone = here + combined * network.byte;
  const double turns = std::ceil(static_cast<double>(what.ranks) / machine.cores);
  const double work = all.messages * machine.gap + all.bytes * network.byte + all.copied * machine.copied_byte +
                      all.combined * machine.combined_byte;
  return steps * turns * machine.turn + std::max(alone, work / machine.cores) + parts;
}

// Long chunks cost fewer latencies; short chunks reach the last process sooner. The sum is least where both costs are
// equal.
std::size_t Machine::chunk_bytes(const Case& what, int processes) const {
  if (chunk != 0) return chunk;
  constexpr double kLeast = 4096, kMost = 1 << 20;
  const Network& way = network(what);
  const double waiting = std::max(1, processes - 1) * way.byte;
  const double best = std::sqrt(static_cast<double>(what.bytes) * (way.latency + gap) / waiting);
  return std::bit_floor(static_cast<std::size_t>(std::clamp(best, kLeast, kMost)));
}

}  // namespace antiphon::coll
