#include "node/topology.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace antiphon::launch {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using TopologyPointer = std::unique_ptr<hwloc_topology, DestroyTopology>;

// Loads only the needed objects: without plug-ins, devices and other objects, hwloc takes a tenth of the time.
TopologyPointer load() {
  const bool no_plugins = std::getenv("HWLOC_PLUGINS_PATH") == nullptr;
  if (no_plugins) setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 0);
  hwloc_topology_t raw = nullptr;
  const bool made = hwloc_topology_init(&raw) == 0;
  if (no_plugins) unsetenv("HWLOC_PLUGINS_PATH");
  if (!made) return nullptr;
  TopologyPointer topology(raw);
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  for (const auto type : {HWLOC_OBJ_CORE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_PACKAGE}) {
    hwloc_topology_set_type_filter(raw, type, HWLOC_TYPE_FILTER_KEEP_ALL);
  }
  for (const char* component : {"pci", "linuxio", "x86"}) {
    hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, component);
  }
  if (hwloc_topology_load(raw) != 0) return nullptr;
  return topology;
}

// The logical number of the object of `type` that contains `cpu`; `fallback` if there is none.
int number_of(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t cpu, int fallback) {
  const hwloc_obj_t object = hwloc_get_ancestor_obj_by_type(topology, type, cpu);
  return object == nullptr ? fallback : static_cast<int>(object->logical_index);
}

// In hwloc, a NUMA node is not an ancestor of its CPUs.
int numa_of(hwloc_topology_t topology, hwloc_obj_t cpu) {
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr;) {
    if (hwloc_bitmap_isset(node->cpuset, cpu->os_index) != 0) return static_cast<int>(node->logical_index);
  }
  return 0;
}

}  // namespace

Topology read_topology(const std::vector<int>& allowed) {
  const TopologyPointer topology = load();
  if (!topology) return {};
  Topology cpus;
  for (hwloc_obj_t cpu = nullptr; (cpu = hwloc_get_next_obj_by_type(topology.get(), HWLOC_OBJ_PU, cpu)) != nullptr;) {
    const auto os_index = static_cast<int>(cpu->os_index);
    if (!std::binary_search(allowed.begin(), allowed.end(), os_index)) continue;
    const int socket = number_of(topology.get(), HWLOC_OBJ_PACKAGE, cpu, 0);
    cpus.push_back({.os_index = os_index,
                    .core = number_of(topology.get(), HWLOC_OBJ_CORE, cpu, os_index),
                    .l3cache = number_of(topology.get(), HWLOC_OBJ_L3CACHE, cpu, socket),
                    .numa = numa_of(topology.get(), cpu),
                    .socket = socket});
  }
  return cpus;
}

}  // namespace antiphon::launch
