// Memory that a collective moves: `bytes` packed bytes, contiguous, or scattered as a datatype says. A value. The
// address is not used before a sink moves the bytes, so a plan can be made for regions that do not exist.
#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "engine/data/buffer.hpp"

namespace antiphon::coll {

struct Region {
  std::byte* at = nullptr;  // address of the first byte, or the origin of displacements
  std::size_t bytes = 0;
  data::Scattered scattered = {};

  Region() = default;
  Region(const void* address, std::size_t length, const data::Scattered& how = {})
      : at(static_cast<std::byte*>(const_cast<void*>(address))), bytes(length), scattered(how) {}
  explicit Region(const data::Buffer& buffer)
      : at(buffer.begin()), bytes(buffer.bytes()), scattered(buffer.scattered()) {}

  [[nodiscard]] bool in_one_piece() const { return !scattered; }
  // `number` consecutive blocks, from `first` on, of `all` equal ones.
  [[nodiscard]] Region blocks(int first, int number, int all) const {
    if (scattered) [[unlikely]]
      return scattered_blocks(first, number, all);
    const std::size_t each = bytes / static_cast<std::size_t>(all);
    return {shifted(static_cast<std::int64_t>(each) * first), each * static_cast<std::size_t>(number)};
  }
  [[nodiscard]] Region block(int index, int all) const { return blocks(index, 1, all); }

 private:
  // Addresses relative to MPI_BOTTOM are null plus a displacement, so this is not done by arithmetic on pointers.
  [[nodiscard]] std::byte* shifted(std::int64_t displacement) const {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(at) +
                                        static_cast<std::uintptr_t>(displacement));
  }
  [[gnu::noinline]] Region scattered_blocks(int first, int number, int all) const {
    const std::int64_t each = scattered.count / all;
    std::byte* const start = shifted(first * each * scattered.type->extent());
    return Region(data::Buffer(start, number * each, *scattered.type));
  }
};

// One block for each rank, of any lengths, anywhere in memory.
class BlockList {
 public:
  explicit BlockList(std::vector<Region> blocks) : blocks_(std::move(blocks)) {}

  [[nodiscard]] int number() const { return static_cast<int>(blocks_.size()); }
  [[nodiscard]] const Region& operator[](int index) const { return blocks_[static_cast<std::size_t>(index)]; }
  // Like Region::block, which needs the number of blocks.
  [[nodiscard]] const Region& block(int index, int) const { return (*this)[index]; }

 private:
  std::vector<Region> blocks_;
};

// The same block for every rank.
struct OneForAll {
  Region region;
  [[nodiscard]] const Region& block(int, int) const { return region; }
};

// Has a block for each rank: a Region, with equal consecutive blocks, or a list of blocks.
template <class B>
concept Blocks = requires(const B& blocks, int index, int all) {
  { blocks.block(index, all) } -> std::convertible_to<Region>;
};

}  // namespace antiphon::coll
