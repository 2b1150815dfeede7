// Where the bytes of a datatype lie in memory, in the order in which they are packed: a small tree of loops over runs
// of bytes. Nodes are immutable and shared: the layout of a type that contains another points to the other's nodes.
// Made by build.hpp alone, in the normal form stated there.
//
// A single run of bytes needs no node: wherever one may stand, none stands for a run. Sizes and starts count packed
// bytes. Displacements and strides count bytes of memory from where the node is placed, and may be negative.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "layout/kernels.hpp"

namespace antiphon::layout {

struct Node;
using NodeRef = std::shared_ptr<const Node>;

// `count` runs of `block` bytes, `stride` apart.
struct Strided {
  std::int64_t count;
  std::int64_t stride;
  std::int64_t block;
  StridedKernel kernel;
};

// Runs of `block` bytes, each at a displacement of its own.
template <class Displacement>
struct Blocks {
  std::int64_t block;
  std::vector<Displacement> displacements;
  ListedKernel<Displacement> kernel;
};

// Runs of different lengths. Each ends, in packed bytes, where the next starts; the last ends with the node.
struct Runs {
  struct Entry {
    std::int64_t start;
    std::int64_t displacement;
  };
  std::vector<Entry> entries;
};

// `count` times the body, `stride` apart. A body of a few bytes is also a pattern: which of 64 bytes it takes.
struct Loop {
  std::int64_t count;
  std::int64_t stride;
  NodeRef body;
  std::uint64_t mask = 0;  // 0: no pattern, or no kernel for one
  PatternKernel kernel = {};
};

// One after the other; an entry without a node is a run.
struct Sequence {
  struct Entry {
    std::int64_t start;
    std::int64_t displacement;
    NodeRef node;
  };
  std::vector<Entry> entries;
};

struct Node {
  using Shape = std::variant<Strided, Blocks<std::int32_t>, Blocks<std::int64_t>, Runs, Loop, Sequence>;

  std::int64_t size;
  Shape shape;
  // Of lists in lists, down to a run or a loop: whoever goes through them has a frame for each. There are at most 62
  // loops in loops, for each doubles the size at least.
  int depth = 1;
};

// A node, or a run, at its place. Nothing, when the size is 0.
struct Placed {
  std::int64_t displacement = 0;
  std::int64_t size = 0;
  NodeRef node;

  [[nodiscard]] bool is_run() const { return !node; }
  [[nodiscard]] std::int64_t end() const { return displacement + size; }  // of a run, in memory
};

}  // namespace antiphon::layout
