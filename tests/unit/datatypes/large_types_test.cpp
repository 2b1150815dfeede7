// Types of far more elements than memory has bytes. They cost what their description costs, and any slice of their
// packed bytes can be moved. (Their memory is real because their blocks lie on top of each other.)
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "datatypes/types.hpp"

namespace {

std::size_t allocated = 0;  // bytes, ever

}  // namespace

// Not inlined, since GCC then sees one half of a pair replaced and warns.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  allocated += bytes;
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace antiphon {
namespace {

using objects::Datatype;
using objects::Ref;

// `count` times ints 1, 4 and 5 of the same 8, then `count` times int 0.
Ref<Datatype> pile(std::int64_t count) {
  const auto pair = derived(abi::COMBINER_INDEXED, {2, 1, 2, 1, 4}, {ints()});
  return derived(abi::COMBINER_STRUCT, {2, 1, 1, 0, 0},
                 {derived(abi::COMBINER_HVECTOR, {count, 1, 0}, {pair}),
                  derived(abi::COMBINER_RESIZED, {0, 4}, {derived(abi::COMBINER_HVECTOR, {count, 1, 0}, {ints()})})});
}

std::size_t cost_of(std::int64_t count) {
  const std::size_t before = allocated;
  const auto type = pile(count);
  type->commit();
  return allocated - before;
}

TEST(LargeTypes, CostNoMoreMemoryThanSmallOnes) {
  (void)cost_of(1000);
  const std::size_t small = cost_of(1000);
  EXPECT_GT(small, 0u);
  EXPECT_EQ(cost_of(std::int64_t{1} << 40), small);
}

TEST(LargeTypes, AreMovedFromAnyByteOn) {
  constexpr std::int64_t kCount = std::int64_t{1} << 40;
  const auto type = pile(kCount);
  type->commit();
  ASSERT_EQ(type->size(), kCount * 16);
  const std::vector<std::int32_t> memory{10, 11, 12, 13, 14, 15, 16, 17};
  const auto element = [&](std::int64_t i) {
    constexpr std::size_t kPlaces[] = {1, 4, 5};
    return memory[i < 3 * kCount ? kPlaces[i % 3] : 0];
  };
  std::vector<std::byte> packed(400), wanted(400);
  for (const std::int64_t first : {std::int64_t{0}, kCount, 3 * kCount - 50, 4 * kCount - 101})
    for (std::int64_t byte = 0; byte < 4; ++byte) {
      for (std::int64_t b = 0; b < 400; ++b) {
        const std::int32_t value = element(first + (byte + b) / 4);
        wanted[static_cast<std::size_t>(b)] =
            static_cast<std::byte>(static_cast<std::uint32_t>(value) >> (byte + b) % 4 * 8);
      }
      type->layout().pack(memory.data(), 1, {4 * first + byte, 400}, packed.data());
      EXPECT_EQ(packed, wanted) << "from byte " << byte << " of element " << first << " on";
    }
}

}  // namespace
}  // namespace antiphon
