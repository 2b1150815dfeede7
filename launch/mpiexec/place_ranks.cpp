#include "mpiexec/place_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "bootstrap/node_segment.hpp"
#include "common/failure.hpp"
#include "hosts/allocation.hpp"
#include "hosts/host.hpp"

namespace antiphon::launch {
namespace {

// Of all programs.
std::vector<HostSlots> named_hosts(const JobOptions& options) {
  std::vector<HostSlots> hosts;
  for (const Wish& wish : options.wishes) std::ranges::copy(wish.hosts, std::back_inserter(hosts));
  return hosts;
}

// For programs whose hosts the user has not named: those of the other programs, or what the environment says.
std::vector<HostSlots> common_hosts(const JobOptions& options, const bootstrap::Environment& environment) {
  if (std::vector<HostSlots> named = named_hosts(options); !named.empty()) return named;
  if (options.launcher != Launcher::fork)
    if (const std::optional<Allocation> allocation = find_allocation(environment)) return allocation->hosts;
  return {};
}

// This machine has several names, but is one node.
std::vector<HostSlots> with_one_name_for_this_host(std::vector<HostSlots> hosts, const JobOptions& options) {
  for (HostSlots& host : hosts)
    if (options.launcher != Launcher::fork && is_this_host(host.name)) host.name = host_name();
  return merged(hosts);
}

int slots_of(const std::vector<HostSlots>& hosts) {
  int slots = 0;
  for (const HostSlots& host : hosts) slots += std::max(host.slots, 1);
  return slots;
}

}  // namespace

void place_ranks(JobOptions& options, const bootstrap::Environment& environment) {
  const std::vector<HostSlots> common = common_hosts(options, environment);
  std::vector<MappedPart> parts;
  for (std::size_t app = 0; app < options.apps.size(); ++app) {
    const Wish& wish = options.wishes[app];
    std::vector<HostSlots> hosts = with_one_name_for_this_host(wish.hosts.empty() ? common : wish.hosts, options);
    if (hosts.empty()) hosts.push_back({.name = host_name()});
    if (wish.ranks_per_node)
      for (HostSlots& host : hosts) host.slots = *wish.ranks_per_node;
    int& ranks = options.apps[app].ranks;
    if (!wish.says_ranks) ranks = slots_of(hosts);
    parts.push_back({.ranks = ranks, .hosts = std::move(hosts)});
  }
  try {
    options.placement.mapping = map_ranks(parts, options.rank_order);
  } catch (const std::invalid_argument& error) {
    usage_error(error.what());
  }
  const std::vector<std::string>& nodes = options.placement.mapping.nodes;
  options.placement.is_here = options.launcher != Launcher::fork && options.launcher_exec.empty() &&
                              nodes.size() == 1 && is_this_host(nodes[0]);
}

}  // namespace antiphon::launch
