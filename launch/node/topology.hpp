// The machine's topology from hwloc, reduced to what binding needs. Read only for jobs that may be bound.
#pragma once

#include <vector>

#include "node/binding.hpp"

namespace antiphon::launch {

// The CPUs of `allowed`; empty if hwloc cannot tell.
Topology read_topology(const std::vector<int>& allowed);

}  // namespace antiphon::launch
