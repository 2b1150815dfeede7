// The networks of simulations that run seed after seed: from easy to hostile, drawn at random.
#pragma once

#include <cstddef>
#include <vector>

#include "base/rng.hpp"
#include "transport/sim/fabric.hpp"

namespace antiphon::sim {

// What is drawn from. It depends on how long the messages are: the network should cut them into pieces, but not so
// many that a simulation never ends.
struct NetworkSizes {
  std::vector<std::size_t> payloads, eager_limits, least_parts, least_runs, pipes;
};

[[nodiscard]] transport::sim::Conditions random_network(base::Rng& rng, const NetworkSizes& sizes);

}  // namespace antiphon::sim
