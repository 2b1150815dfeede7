#include "random_network.hpp"

namespace antiphon::sim {

transport::sim::Conditions random_network(base::Rng& rng, const NetworkSizes& sizes) {
  constexpr std::size_t kInFlight[] = {1, 2, 5, 100};
  constexpr std::uint64_t kDelays[] = {1, 10, 300};
  constexpr unsigned kRefusals[] = {0, 0, 10, 50};
  return {.capabilities = {.max_payload = rng.pick(sizes.payloads),
                           .eager_limit = rng.pick(sizes.eager_limits),
                           .least_part = rng.pick(sizes.least_parts),
                           .least_run = rng.pick(sizes.least_runs)},
          .packets_per_pair = rng.pick(kInFlight),
          .max_delay = rng.pick(kDelays),
          .refuse_percent = rng.pick(kRefusals),
          .peer_memory = rng.percent(70),
          .refuse_copy_percent = rng.pick(kRefusals),
          .system_copies = rng.percent(70),
          .mapped = rng.percent(40),
          .pipes = static_cast<unsigned>(rng.below(3)),
          .pipe_bytes = rng.pick(sizes.pipes)};
}

}  // namespace antiphon::sim
