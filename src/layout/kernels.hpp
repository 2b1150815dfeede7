// The innermost loops: many short blocks between their places in memory and a packed stream. One function for each
// common length of a block, chosen once, when a node is built, by length, stride and what this CPU can do. A kernel
// writes no byte that does not belong to its blocks, and reads others only where they lie between two of its blocks
// and share a page with one of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "layout/cpu.hpp"

namespace antiphon::layout {

// `count` blocks, `stride` bytes apart.
struct StridedKernel {
  using Pack = void (*)(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                        std::int64_t block);
  using Unpack = void (*)(const std::byte* packed, std::byte* memory, std::int64_t count, std::int64_t stride,
                          std::int64_t block);
  Pack pack;
  Unpack unpack;
  // For messages that no cache holds (uncached.hpp). Null where the two above are as good.
  Pack pack_streamed = nullptr;
  Unpack unpack_far = nullptr;
};

// A block at each displacement. A list of 32-bit displacements is half as much to read, and where blocks are doubles
// the list is as long as the data: so both widths exist.
template <class Displacement>
struct ListedKernel {
  using Pack = void (*)(std::byte* packed, const std::byte* memory, const Displacement* displacements,
                        std::int64_t count, std::int64_t block);
  using Unpack = void (*)(const std::byte* packed, std::byte* memory, const Displacement* displacements,
                          std::int64_t count, std::int64_t block);
  Pack pack;
  Unpack unpack;
};

// `count` times the same few bytes of every `stride`, at most 64: those whose bit in `mask` is set, in ascending
// order.
struct PatternKernel {
  using Pack = void (*)(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                        std::uint64_t mask);
  using Unpack = void (*)(const std::byte* packed, std::byte* memory, std::int64_t count, std::int64_t stride,
                          std::uint64_t mask);
  Pack pack = nullptr;  // null where this CPU has nothing better than block after block
  Unpack unpack = nullptr;
};

[[nodiscard]] StridedKernel strided_kernel(std::int64_t block, std::int64_t stride, Vectors vectors = best_vectors());
template <class Displacement>
[[nodiscard]] ListedKernel<Displacement> listed_kernel(std::int64_t block, Vectors vectors = best_vectors());
[[nodiscard]] PatternKernel pattern_kernel(Vectors vectors = best_vectors());

}  // namespace antiphon::layout
