#include "layout/regular.hpp"

#include <algorithm>

#include "layout/build.hpp"

namespace antiphon::layout {

std::int64_t Regular::low() const {
  std::int64_t low = displacement;
  for (const Loop& loop : loops) low += std::min<std::int64_t>((loop.count - 1) * loop.stride, 0);
  return low;
}

std::int64_t Regular::high() const {
  std::int64_t high = displacement + block;
  for (const Loop& loop : loops) high += std::max<std::int64_t>((loop.count - 1) * loop.stride, 0);
  return high;
}

std::optional<Regular> regular(const Placed& placed) {
  Regular found{.displacement = placed.displacement, .block = placed.size};
  const Node* node = placed.node.get();
  for (std::size_t depth = 0; node; ++depth) {
    if (depth == Regular::kLoops) return {};
    if (const auto* strided = std::get_if<Strided>(&node->shape)) {
      found.loops[depth] = {strided->count, strided->stride};
      found.block = strided->block;
      return found;
    }
    const auto* loop = std::get_if<Loop>(&node->shape);
    if (!loop) return {};
    found.loops[depth] = {loop->count, loop->stride};
    node = loop->body.get();
  }
  return found;
}

Placed placed(const Regular& regular) {
  Placed made = run(regular.block);
  for (std::size_t depth = Regular::kLoops; depth-- != 0;)
    made = repeat(made, regular.loops[depth].count, regular.loops[depth].stride);
  made.displacement = regular.displacement;
  return made;
}

}  // namespace antiphon::layout
