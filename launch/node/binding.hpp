// Decides which CPUs each rank may use. The decision is a pure function of the machine, the limits and the user's
// options; topology.hpp reads the machine, spawn.hpp applies the result.
#pragma once

#include <string>
#include <vector>

#include "node/description.hpp"

namespace antiphon::launch {

// A CPU that this job may use, and its place. The numbers of core, l3cache, numa and socket only distinguish
// different objects.
struct Cpu {
  int os_index;
  int core;
  int l3cache;
  int numa;
  int socket;
};

// Ordered so that adjacent CPUs share as many objects as possible.
using Topology = std::vector<Cpu>;

struct BindingWish {
  int ranks;
  int usable_cpus;
  int cpus_per_rank = 1;  // from OMP_NUM_THREADS
  BindTo bind_to = BindTo::automatic;
  MapBy map_by = MapBy::automatic;
};

// The OS indices of each rank's CPUs; empty for a rank that is not bound.
using Binding = std::vector<std::vector<int>>;

// Unless the user has chosen a binding, ranks are bound only if each gets cores, or at least hardware threads, of its
// own. A single rank is not bound: there is no rank to separate it from, and it may have threads.
Binding plan_binding(const Topology& topology, const BindingWish& wish);

// Whether plan_binding can bind any rank. If not, the caller need not read the machine.
bool may_bind(const BindingWish& wish);

// Text for the user, as ranges: "0-3,8".
std::string describe_cpus(const std::vector<int>& cpus);

}  // namespace antiphon::launch
