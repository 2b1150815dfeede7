#include "hosts/tree.hpp"

#include <algorithm>

namespace antiphon::launch {

std::vector<int> Tree::children(int node) const {
  const int first = fan_out == 0 ? (node == kFront ? 0 : nodes) : (node + 1) * fan_out;
  const int last = fan_out == 0 ? nodes : std::min(nodes, first + fan_out);
  std::vector<int> found;
  for (int child = first; child < last; ++child) found.push_back(child);
  return found;
}

bool Tree::is_within(int node, int top) const {
  if (node < 0 || node >= nodes) return false;
  while (node > top) node = parent(node);
  return node == top;
}

int Tree::next(int from, int to) const {
  while (parent(to) != from) to = parent(to);
  return to;
}

std::vector<int> Tree::below(int node) const {
  std::vector<int> found{node};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const int child : children(found[i])) found.push_back(child);
  return found;
}

int choose_fan_out(std::uint64_t setting, int nodes, std::uint64_t descriptors) {
  constexpr std::uint64_t kMost = 32;
  constexpr std::uint64_t kPerDaemon = 3, kForTheRest = 24;  // descriptors
  if (setting != 0) return static_cast<int>(setting);
  const std::uint64_t room = (std::max(descriptors, kForTheRest + kPerDaemon) - kForTheRest) / kPerDaemon;
  const std::uint64_t most = std::min(kMost, room);
  return static_cast<std::uint64_t>(nodes) <= most ? 0 : static_cast<int>(most);
}

}  // namespace antiphon::launch
