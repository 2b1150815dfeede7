// Which daemon starts which: mpiexec starts those of the first nodes, each of these starts some of the next, and so
// on. All know the same tree, since it follows from two numbers. A node has a greater number than its parent. Pure.
#pragma once

#include <cstdint>
#include <vector>

namespace antiphon::launch {

struct Tree {
  static constexpr int kFront = -1;  // mpiexec, the root

  int nodes;
  int fan_out;  // how many daemons each may start; 0: mpiexec starts all

  [[nodiscard]] int parent(int node) const { return fan_out == 0 ? kFront : node / fan_out - 1; }
  [[nodiscard]] std::vector<int> children(int node) const;
  // Whether `node` is `top`, or is reached through it. False for what is no node.
  [[nodiscard]] bool is_within(int node, int top) const;
  // The child of `from` through which `to` is reached; `to` must be below `from`.
  [[nodiscard]] int next(int from, int to) const;
  // The node and all that are reached through it.
  [[nodiscard]] std::vector<int> below(int node) const;
};

// For the setting launch_fan_out (0: automatic). Each daemon that a process starts takes some of its `descriptors`.
[[nodiscard]] int choose_fan_out(std::uint64_t setting, int nodes, std::uint64_t descriptors);

}  // namespace antiphon::launch
