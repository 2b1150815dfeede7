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

}  // namespace antiphon::launch
