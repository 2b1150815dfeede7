// Memory that a collective moves: so many packed bytes, in one piece or scattered as a datatype says. A value. Until
// a sink touches the bytes the address means nothing, so a plan can be made for regions that do not exist.
#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "engine/data/buffer.hpp"

namespace antiphon::coll {

struct Region {
  std::byte* at = nullptr;  // the first byte, or what displacements count from
  std::size_t bytes = 0;
  data::Scattered scattered = {};

  Region() = default;
  Region(const void* address, std::size_t length, const data::Scattered& how = {})
      : at(static_cast<std::byte*>(const_cast<void*>(address))), bytes(length), scattered(how) {}
  explicit Region(const data::Buffer& buffer)
      : at(buffer.begin()), bytes(buffer.bytes()), scattered(buffer.scattered()) {}

  [[nodiscard]] bool in_one_piece() const { return !scattered; }
  // Of `all` equal blocks the `number` from block `first` on.
  [[nodiscard]] Region blocks(int first, int number, int all) const {
    if (scattered) [[unlikely]]
      return scattered_blocks(first, number, all);
    const std::size_t each = bytes / static_cast<std::size_t>(all);
    return {shifted(static_cast<std::int64_t>(each) * first), each * static_cast<std::size_t>(number)};
  }
  [[nodiscard]] Region block(int index, int all) const { return blocks(index, 1, all); }

 private:
  // Addresses of MPI_BOTTOM are null and a displacement, so no arithmetic on pointers.
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

// Blocks of any lengths, wherever they lie: one for each rank.
class BlockList {
 public:
  explicit BlockList(std::vector<Region> blocks) : blocks_(std::move(blocks)) {}

  [[nodiscard]] int number() const { return static_cast<int>(blocks_.size()); }
  [[nodiscard]] const Region& operator[](int index) const { return blocks_[static_cast<std::size_t>(index)]; }
  // As of a Region, where it matters how many there are.
  [[nodiscard]] const Region& block(int index, int) const { return (*this)[index]; }

 private:
  std::vector<Region> blocks_;
};

// The same block for each rank.
struct OneForAll {
  Region region;
  [[nodiscard]] const Region& block(int, int) const { return region; }
};

// What has a block for each rank: a Region, which has equal ones that follow each other, or a list of them.
template <class B>
concept Blocks = requires(const B& blocks, int index, int all) {
  { blocks.block(index, all) } -> std::convertible_to<Region>;
};

}  // namespace antiphon::coll
