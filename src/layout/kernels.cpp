#include "layout/kernels.hpp"

#include <cstring>

namespace antiphon::layout {

namespace {

// How one block is copied. Lengths between two of those that one move handles take two moves that overlap.
template <std::size_t Bytes>
struct Exactly {
  static void copy(std::byte* to, const std::byte* from, std::int64_t) { std::memcpy(to, from, Bytes); }
};
template <std::size_t Bytes>
struct UpToTwice {
  static void copy(std::byte* to, const std::byte* from, std::int64_t block) {
    std::memcpy(to, from, Bytes);
    const std::int64_t rest = block - static_cast<std::int64_t>(Bytes);
    std::memcpy(to + rest, from + rest, Bytes);
  }
};
template <std::size_t Step>
struct InSteps {
  static void copy(std::byte* to, const std::byte* from, std::int64_t block) {
    constexpr auto kStep = static_cast<std::int64_t>(Step);
    const std::int64_t rest = block - kStep;
    for (std::int64_t done = 0; done < rest; done += kStep) std::memcpy(to + done, from + done, Step);
    std::memcpy(to + rest, from + rest, Step);
  }
};
struct Long {
  static void copy(std::byte* to, const std::byte* from, std::int64_t block) {
    std::memcpy(to, from, static_cast<std::size_t>(block));
  }
};

template <class Block>
void pack_strided(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                  std::int64_t block) {
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < count; ++i, packed += block, memory += stride) Block::copy(packed, memory, block);
}

template <class Block>
void unpack_strided(const std::byte* packed, std::byte* memory, std::int64_t count, std::int64_t stride,
                    std::int64_t block) {
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < count; ++i, packed += block, memory += stride) Block::copy(memory, packed, block);
}

template <class Block, class Displacement>
void pack_listed(std::byte* packed, const std::byte* memory, const Displacement* displacements, std::int64_t count,
                 std::int64_t block) {
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < count; ++i, packed += block) Block::copy(packed, memory + displacements[i], block);
}

template <class Block, class Displacement>
void unpack_listed(const std::byte* packed, std::byte* memory, const Displacement* displacements, std::int64_t count,
                   std::int64_t block) {
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < count; ++i, packed += block) Block::copy(memory + displacements[i], packed, block);
}

// Calls use(how to copy such a block).
template <class Use>
auto with_copy(std::int64_t block, Use&& use) {
  switch (block) {
    case 1:
      return use(Exactly<1>{});
    case 2:
      return use(Exactly<2>{});
    case 4:
      return use(Exactly<4>{});
    case 8:
      return use(Exactly<8>{});
    case 16:
      return use(Exactly<16>{});
    case 32:
      return use(Exactly<32>{});
    case 64:
      return use(Exactly<64>{});
    default:
      break;
  }
  if (block < 4) return use(UpToTwice<2>{});
  if (block < 8) return use(UpToTwice<4>{});
  if (block < 16) return use(UpToTwice<8>{});
  if (block < 32) return use(UpToTwice<16>{});
  if (block < 512) return use(InSteps<32>{});
  return use(Long{});
}

}  // namespace

StridedKernel strided_kernel(std::int64_t block, std::int64_t) {
  return with_copy(block, [](auto copy) {
    return StridedKernel{pack_strided<decltype(copy)>, unpack_strided<decltype(copy)>};
  });
}

template <class Displacement>
ListedKernel<Displacement> listed_kernel(std::int64_t block) {
  return with_copy(block, [](auto copy) {
    return ListedKernel<Displacement>{pack_listed<decltype(copy), Displacement>,
                                      unpack_listed<decltype(copy), Displacement>};
  });
}

template ListedKernel<std::int32_t> listed_kernel(std::int64_t);
template ListedKernel<std::int64_t> listed_kernel(std::int64_t);

}  // namespace antiphon::layout
