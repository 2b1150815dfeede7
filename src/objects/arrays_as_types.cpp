#include "objects/arrays_as_types.hpp"

namespace antiphon::objects {

namespace {

using Numbers = std::vector<std::int64_t>;

Ref<Datatype> derive(int combiner, Numbers numbers, std::vector<Ref<Datatype>> types) {
  return Ref<Datatype>::adopt(new Datatype(
      Recipe{.combiner = combiner, .large = true, .numbers = std::move(numbers), .types = std::move(types)}));
}

// One more dimension around `inner`: its `size` indices are `stride` bytes apart, of which `shape` gives some. The
// result starts at 0 and ends where the dimension does, so that it is one index of the next.
template <class Shape>
Ref<Datatype> dimension(std::int64_t size, std::int64_t stride, Shape&& shape) {
  return derive(abi::COMBINER_RESIZED, {0, checked_multiply(size, stride)}, {shape()});
}

// Calls add(dimension) for each, the fastest first.
template <class Add>
void fastest_first(std::size_t dimensions, std::int64_t order, Add&& add) {
  for (std::size_t i = 0; i < dimensions; ++i) add(order == abi::ORDER_C ? dimensions - 1 - i : i);
}

// Which indices of a dimension of `size` one process holds: blocks of `block`, dealt out in turn to `processes`, of
// which this is number `place`.
struct Share {
  std::int64_t block;
  std::int64_t first = 0;   // index where the first block begins
  std::int64_t period = 0;  // from one block to the next
  std::int64_t full_blocks = 0;
  std::int64_t last_length = 0;  // of a shorter block after the full ones

  Share(std::int64_t size, std::int64_t processes, std::int64_t place, std::int64_t block_length)
      : block(block_length) {
    if (__builtin_mul_overflow(place, block, &first) || first >= size) {
      first = 0;
      return;
    }
    if (__builtin_mul_overflow(processes, block, &period)) period = size;
    full_blocks = (size - first) / period;
    const std::int64_t left = size - first - full_blocks * period;  // less than a period: one more block, or a part
    if (left >= block)
      ++full_blocks;
    else
      last_length = left;
  }
};

Share share_of(std::int64_t size, std::int64_t distribution, std::int64_t argument, std::int64_t processes,
               std::int64_t place) {
  const bool given = argument != abi::DISTRIBUTE_DFLT_DARG;
  if (distribution == abi::DISTRIBUTE_NONE) return {size, 1, 0, size};
  if (distribution == abi::DISTRIBUTE_BLOCK)
    return {size, processes, place, given ? argument : (size - 1) / processes + 1};
  return {size, processes, place, given ? argument : 1};
}

}  // namespace

Ref<Datatype> expand_subarray(const Recipe& recipe) {
  const Numbers& n = recipe.numbers;  // ndims, sizes, subsizes, starts, order
  const auto dimensions = static_cast<std::size_t>(n[0]);
  const std::int64_t *sizes = &n[1], *subsizes = sizes + dimensions, *starts = subsizes + dimensions;
  Ref<Datatype> array = derive(abi::COMBINER_RESIZED, {0, recipe.types[0]->extent()}, {recipe.types[0]});
  fastest_first(dimensions, n.back(), [&](std::size_t d) {
    const std::int64_t stride = array->extent();
    array = dimension(sizes[d], stride, [&] {
      return derive(abi::COMBINER_HINDEXED, {1, subsizes[d], checked_multiply(starts[d], stride)}, {array});
    });
  });
  return array;
}

Ref<Datatype> expand_darray(const Recipe& recipe) {
  const Numbers& n = recipe.numbers;  // size, rank, ndims, gsizes, distribs, dargs, psizes, order
  const auto dimensions = static_cast<std::size_t>(n[2]);
  const std::int64_t *sizes = &n[3], *distributions = sizes + dimensions, *arguments = distributions + dimensions,
                     *grid = arguments + dimensions;
  // Processes are numbered in row-major order, whatever the order of the array.
  Numbers place(dimensions);
  std::int64_t rank = n[1];
  for (std::size_t d = dimensions; d-- > 0; rank /= grid[d]) place[d] = rank % grid[d];

  Ref<Datatype> array = derive(abi::COMBINER_RESIZED, {0, recipe.types[0]->extent()}, {recipe.types[0]});
  fastest_first(dimensions, n.back(), [&](std::size_t d) {
    const Share share = share_of(sizes[d], distributions[d], arguments[d], grid[d], place[d]);
    const std::int64_t stride = array->extent();
    const auto at = [&](std::int64_t index) { return checked_multiply(index, stride); };
    array = dimension(sizes[d], stride, [&] {
      const auto full = derive(abi::COMBINER_HVECTOR, {share.full_blocks, share.block, at(share.period)}, {array});
      const auto last = derive(abi::COMBINER_CONTIGUOUS, {share.last_length}, {array});
      return derive(abi::COMBINER_STRUCT,
                    {2, 1, 1, at(share.first), at(share.first + share.full_blocks * share.period)}, {full, last});
    });
  });
  return array;
}

}  // namespace antiphon::objects
