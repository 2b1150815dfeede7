#include "hosts/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "bootstrap/node_segment.hpp"

namespace antiphon::launch {
namespace {

int slots_of(const HostSlots& host) { return std::max(host.slots, 1); }

// How many ranks each host gets.
std::vector<int> counts_of(const MappedPart& part) {
  int all_slots = 0;
  for (const HostSlots& host : part.hosts) all_slots += slots_of(host);
  const int rounds = part.ranks / all_slots;
  int rest = part.ranks % all_slots;
  std::vector<int> counts;
  for (const HostSlots& host : part.hosts) {
    const int more = std::min(rest, slots_of(host));
    rest -= more;
    counts.push_back(rounds * slots_of(host) + more);
  }
  return counts;
}

// The index of the host of each rank.
std::vector<std::size_t> hosts_of(const MappedPart& part, RankOrder order) {
  std::vector<int> counts = counts_of(part);
  std::vector<std::size_t> hosts;
  const auto left = static_cast<std::size_t>(part.ranks);
  while (hosts.size() < left)
    for (std::size_t host = 0; host < counts.size(); ++host)
      for (int most = order == RankOrder::by_node ? 1 : counts[host]; most > 0 && counts[host] > 0;
           --most, --counts[host])
        hosts.push_back(host);
  return hosts;
}

}  // namespace

Mapping map_ranks(const std::vector<MappedPart>& parts, RankOrder order) {
  Mapping mapping;
  std::map<std::string, int> nodes;
  std::vector<int> ranks_on;
  for (const MappedPart& part : parts) {
    for (const std::size_t index : hosts_of(part, order)) {
      const HostSlots& host = part.hosts[index];
      const auto [node, is_new] = nodes.try_emplace(host.name, static_cast<int>(mapping.nodes.size()));
      if (is_new) {
        mapping.nodes.push_back(host.name);
        ranks_on.push_back(0);
      }
      int& ranks = ranks_on[static_cast<std::size_t>(node->second)];
      mapping.places.push_back({.node = node->second, .rank_on_node = ranks++});
      const int most = host.max_slots > 0 ? host.max_slots : static_cast<int>(bootstrap::kMaxRanks);
      if (ranks > most)
        throw std::invalid_argument(fmt::format("host {} would get more than {} ranks{}", host.name, most,
                                                host.max_slots > 0 ? ", its max_slots" : ""));
    }
  }
  return mapping;
}

}  // namespace antiphon::launch
