// Typed buffers: what is in one piece, and what is packed, element by element.
#include "engine/data/buffer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "datatypes/types.hpp"

namespace antiphon::data {
namespace {

using objects::Datatype;
using objects::Ref;

Ref<Datatype> committed(int combiner, std::vector<std::int64_t> numbers) {
  auto type = derived(combiner, std::move(numbers), {ints()});
  type->commit();
  return type;
}
// Every second of `count` ints.
Ref<Datatype> every_second(std::int64_t count) { return committed(abi::COMBINER_VECTOR, {count, 1, 2}); }

TEST(Buffer, OfAPlainTypeIsInOnePieceFromItsAddressOn) {
  std::array<std::int32_t, 4> memory{};
  const Ref<Datatype> type = ints();
  const Buffer buffer(memory.data(), 4, *type);
  EXPECT_TRUE(buffer.in_one_piece());
  EXPECT_EQ(buffer.begin(), static_cast<void*>(memory.data()));
  EXPECT_EQ(buffer.bytes(), sizeof memory);
  EXPECT_FALSE(buffer.scattered());
}

TEST(Buffer, BeginsWhereTheFirstByteOfItsOneRunIs) {
  std::array<std::int32_t, 8> memory{};
  const Ref<Datatype> type = committed(abi::COMBINER_HINDEXED, {1, 2, 12});  // two ints, 12 bytes in
  const Buffer one(memory.data(), 1, *type);
  ASSERT_TRUE(one.in_one_piece());
  EXPECT_EQ(one.begin(), static_cast<void*>(&memory[3]));
  EXPECT_EQ(one.address(), static_cast<void*>(memory.data()));
}

TEST(Buffer, PacksAndUnpacksWhatIsScattered) {
  std::array<std::int32_t, 12> memory{}, back{};
  std::iota(memory.begin(), memory.end(), 0);
  const Ref<Datatype> type = every_second(3);
  const Buffer buffer(memory.data(), 2, *type);
  ASSERT_FALSE(buffer.in_one_piece());
  ASSERT_EQ(buffer.bytes(), 24u);
  std::vector<std::int32_t> packed(buffer.bytes() / sizeof(std::int32_t));
  buffer.pack(reinterpret_cast<std::byte*>(packed.data()));
  EXPECT_EQ(packed, (std::vector<std::int32_t>{0, 2, 4, 5, 7, 9}));
  Buffer(back.data(), 2, *type).unpack(reinterpret_cast<const std::byte*>(packed.data()));
  for (const std::size_t at : {0u, 2u, 4u, 5u, 7u, 9u}) EXPECT_EQ(back[at], memory[at]);
  EXPECT_EQ(back[1], 0);
}

TEST(Buffer, IsCutByElementsAtTheirExtents) {
  std::array<std::int32_t, 20> memory{};
  const Ref<Datatype> type = every_second(3);
  const Buffer third = Buffer(memory.data(), 4, *type).elements(2, 1);
  EXPECT_EQ(third.address(), static_cast<void*>(&memory[10]));
  EXPECT_EQ(third.bytes(), 12u);
  EXPECT_EQ(third.count(), 1);
}

}  // namespace
}  // namespace antiphon::data
