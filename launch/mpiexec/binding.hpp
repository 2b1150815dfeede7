// Which cpus each rank may use. The decision is a pure function of the machine, the limits and the wishes; the
// machine is read by topology.hpp, the result applied by spawn.hpp.
#pragma once

#include <string>
#include <vector>

#include "mpiexec/options.hpp"

namespace antiphon::launch {

// A cpu that this job may use and where it sits. The numbers of core, l3cache, numa and socket only have to tell
// different ones apart.
struct Cpu {
  int os_index;
  int core;
  int l3cache;
  int numa;
  int socket;
};

// In an order in which neighbours share as much as possible.
using Topology = std::vector<Cpu>;

struct BindingWish {
  int ranks;
  int usable_cpus;
  int cpus_per_rank = 1;  // what OMP_NUM_THREADS asks for
  BindTo bind_to = BindTo::automatic;
  MapBy map_by = MapBy::automatic;
};

// One set of os indices a rank; all empty: no rank is bound.
using Binding = std::vector<std::vector<int>>;

// Without an explicit wish ranks are bound only where each gets cores (or at least hardware threads) of its own. A
// rank without neighbours is left alone: there is nobody to keep apart, and it may have threads.
Binding plan_binding(const Topology& topology, const BindingWish& wish);

// Whether plan_binding can come to anything; when not, the machine need not be read.
bool may_bind(const BindingWish& wish);

// Ranges for people: "0-3,8".
std::string describe_cpus(const std::vector<int>& cpus);

}  // namespace antiphon::launch
