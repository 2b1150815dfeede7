// The innermost loops: many short blocks between their places in memory and a packed stream. One function for each
// common length of a block, chosen once, when a node is built, by length, stride and what this CPU can do. A kernel
// writes no byte that does not belong to its blocks, and reads others only between two of its blocks that share a
// page.
#pragma once

#include <cstddef>
#include <cstdint>

namespace antiphon::layout {

// `count` blocks, `stride` bytes apart.
struct StridedKernel {
  using Pack = void (*)(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                        std::int64_t block);
  using Unpack = void (*)(const std::byte* packed, std::byte* memory, std::int64_t count, std::int64_t stride,
                          std::int64_t block);
  Pack pack;
  Unpack unpack;
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

[[nodiscard]] StridedKernel strided_kernel(std::int64_t block, std::int64_t stride);
template <class Displacement>
[[nodiscard]] ListedKernel<Displacement> listed_kernel(std::int64_t block);

}  // namespace antiphon::layout
