#include "node/binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace antiphon::launch {
namespace {

int object_of(const Cpu& cpu, BindTo kind) {
  switch (kind) {
    case BindTo::hwthread:
      return cpu.os_index;
    case BindTo::core:
      return cpu.core;
    case BindTo::l3cache:
      return cpu.l3cache;
    case BindTo::numa:
      return cpu.numa;
    case BindTo::socket:
      return cpu.socket;
    case BindTo::automatic:
    case BindTo::none:
      break;
  }
  return 0;
}

// The kind of object among which ranks are distributed in turn. `none`: ranks take the places in their order.
BindTo dealt_over(MapBy map_by) {
  switch (map_by) {
    case MapBy::automatic:
      return BindTo::none;
    case MapBy::hwthread:
      return BindTo::hwthread;
    case MapBy::core:
      return BindTo::core;
    case MapBy::l3cache:
      return BindTo::l3cache;
    case MapBy::numa:
      return BindTo::numa;
    case MapBy::socket:
      return BindTo::socket;
  }
  return BindTo::none;
}

using Place = std::vector<Cpu>;  // the unit that ranks get: the CPUs of one core, or one CPU

// CPUs grouped by their object of `kind`, in the topology's order.
std::vector<Place> grouped(const std::vector<Cpu>& cpus, BindTo kind) {
  std::vector<Place> groups;
  std::map<int, std::size_t> index;
  for (const Cpu& cpu : cpus) {
    const auto [position, is_new] = index.try_emplace(object_of(cpu, kind), groups.size());
    if (is_new) groups.emplace_back();
    groups[position->second].push_back(cpu);
  }
  return groups;
}

// The places in the order in which ranks get them: one from each object of `map_by` in turn.
std::vector<Place> dealt(const std::vector<Place>& places, MapBy map_by) {
  const BindTo kind = dealt_over(map_by);
  std::vector<std::vector<Place>> heaps;
  std::map<int, std::size_t> index;
  for (const Place& place : places) {
    const auto [position, is_new] = index.try_emplace(object_of(place.front(), kind), heaps.size());
    if (is_new) heaps.emplace_back();
    heaps[position->second].push_back(place);
  }
  std::vector<Place> order;
  for (std::size_t round = 0; order.size() < places.size(); ++round) {
    for (const auto& heap : heaps) {
      if (round < heap.size()) order.push_back(heap[round]);
    }
  }
  return order;
}

std::vector<int> os_indices(const std::vector<Cpu>& cpus) {
  std::vector<int> indices;
  for (const Cpu& cpu : cpus) indices.push_back(cpu.os_index);
  std::sort(indices.begin(), indices.end());
  return indices;
}

// Gives each rank the next `width` places.
Binding consecutive(const std::vector<Place>& places, int ranks, int width) {
  Binding binding;
  auto next = places.begin();
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<Cpu> cpus;
    for (int i = 0; i < width; ++i, ++next) cpus.insert(cpus.end(), next->begin(), next->end());
    binding.push_back(os_indices(cpus));
  }
  return binding;
}

Binding unbound(int ranks) { return Binding(static_cast<std::size_t>(ranks)); }

Binding plan_automatic(const Topology& topology, const BindingWish& wish) {
  const int needed = wish.ranks * wish.cpus_per_rank;
  if (!may_bind(wish)) return unbound(wish.ranks);
  for (const BindTo kind : {BindTo::core, BindTo::hwthread}) {
    const std::vector<Place> places = dealt(grouped(topology, kind), wish.map_by);
    if (needed <= static_cast<int>(places.size())) return consecutive(places, wish.ranks, wish.cpus_per_rank);
  }
  return unbound(wish.ranks);
}

// Binds as the user has requested. If there are more ranks than objects, ranks share objects.
Binding plan_explicit(const Topology& topology, const BindingWish& wish) {
  const bool by_thread = wish.bind_to == BindTo::hwthread || wish.map_by == MapBy::hwthread;
  const auto places = dealt(grouped(topology, by_thread ? BindTo::hwthread : BindTo::core), wish.map_by);
  std::map<int, std::vector<int>> objects;
  for (const auto& object : grouped(topology, wish.bind_to)) {
    objects[object_of(object.front(), wish.bind_to)] = os_indices(object);
  }
  Binding binding;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(wish.ranks); ++rank) {
    binding.push_back(objects.at(object_of(places[rank % places.size()].front(), wish.bind_to)));
  }
  return binding;
}

}  // namespace

bool may_bind(const BindingWish& wish) {
  if (wish.bind_to == BindTo::none) return false;
  if (wish.bind_to != BindTo::automatic) return true;
  return wish.ranks > 1 && wish.ranks * wish.cpus_per_rank <= wish.usable_cpus;
}

Binding plan_binding(const Topology& topology, const BindingWish& wish) {
  if (topology.empty() || !may_bind(wish)) return unbound(wish.ranks);
  return wish.bind_to == BindTo::automatic ? plan_automatic(topology, wish) : plan_explicit(topology, wish);
}

std::string describe_cpus(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", cpus[first]);
    if (last > first) text += fmt::format("-{}", cpus[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace antiphon::launch
