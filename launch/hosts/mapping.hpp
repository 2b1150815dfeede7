// Which rank runs on which host. Pure.
//
// Hosts get as many ranks as they have slots; if there are more ranks than slots, every host gets its slots again.
// Hosts that get no rank are left out.
#pragma once

#include <string>
#include <vector>

#include "bootstrap/place.hpp"
#include "hosts/host_list.hpp"

namespace antiphon::launch {

// by_slot: consecutive ranks on the same host. by_node: on one host after the other in turn.
enum class RankOrder { by_slot, by_node };

// The ranks of some programs, and the hosts on which they may run.
struct MappedPart {
  int ranks;
  std::vector<HostSlots> hosts;  // merged
};

struct Mapping {
  std::vector<bootstrap::Place> places;  // by rank
  std::vector<std::string> nodes;        // names of hosts
};

// `parts` in the order of their ranks. Throws std::invalid_argument if a host would get more ranks than it may.
[[nodiscard]] Mapping map_ranks(const std::vector<MappedPart>& parts, RankOrder order);

}  // namespace antiphon::launch
