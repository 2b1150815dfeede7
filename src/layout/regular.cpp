#include "layout/regular.hpp"

#include <algorithm>

#include "layout/build.hpp"

namespace antiphon::layout {

std::optional<std::uint64_t> Regular::bytes() const {
  std::int64_t bytes = block, low = displacement, high = 0;
  if (block <= 0 || __builtin_add_overflow(displacement, block, &high)) return {};
  for (const Loop& loop : loops) {
    std::int64_t reach = 0;
    if (loop.count <= 0 || __builtin_mul_overflow(bytes, loop.count, &bytes) ||
        __builtin_mul_overflow(loop.count - 1, loop.stride, &reach))
      return {};
    std::int64_t& end = reach < 0 ? low : high;
    if (__builtin_add_overflow(end, reach, &end)) return {};
  }
  std::int64_t span = 0;
  if (__builtin_sub_overflow(high, low, &span)) return {};
  return static_cast<std::uint64_t>(bytes);
}

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
