#include "hosts/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "bootstrap/node_segment.hpp"

namespace antiphon::launch {
namespace {

int slots_of(const HostSlots& host) { return std::max(host.slots, 1); }

// The index of the host of each rank. Hosts have their turns in rounds: in a round, each host gets up to `at_once`
// ranks until its slots are full; when all are, they are empty again.
std::vector<std::size_t> hosts_of(const MappedPart& part, RankOrder order) {
  std::vector<std::size_t> hosts;
  const auto ranks = static_cast<std::size_t>(part.ranks);
  std::vector<int> free_slots(part.hosts.size());
  while (hosts.size() < ranks) {
    if (std::ranges::all_of(free_slots, [](int slots) { return slots == 0; }))
      std::ranges::transform(part.hosts, free_slots.begin(), slots_of);
    for (std::size_t host = 0; host < free_slots.size(); ++host)
      for (int at_once = order == RankOrder::by_node ? 1 : free_slots[host];
           at_once > 0 && free_slots[host] > 0 && hosts.size() < ranks; --at_once, --free_slots[host])
        hosts.push_back(host);
  }
  return hosts;
}

}  // namespace

Mapping map_ranks(const std::vector<MappedPart>& parts, RankOrder order) {
  Mapping mapping;
  std::map<std::string, int> nodes;
  std::vector<int> ranks_on;
  for (const MappedPart& part : parts) {
    std::vector<std::size_t> hosts = hosts_of(part, order);
    if (order == RankOrder::by_slot) std::ranges::sort(hosts);  // together, also if slots are filled more than once
    for (const std::size_t index : hosts) {
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
