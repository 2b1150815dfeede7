// Where a type ends: by the standard's rule where its parts lie as their alignment asks, and with its parts' padding
// where they do not, so that a type never ends before what it is made of does.
#include <gtest/gtest.h>

#include "datatypes/types.hpp"

namespace antiphon {
namespace {

using objects::Datatype;
using objects::Ref;

Ref<Datatype> hvector(std::int64_t count, std::int64_t stride, Ref<Datatype> type) {
  return derived(abi::COMBINER_HVECTOR, {count, 1, stride}, {std::move(type)});
}

TEST(Extents, SpanBlocksAtOddStridesEachWithItsPadding) {
  const auto inner = hvector(3, 9, doubles());  // ends at 26
  EXPECT_EQ(inner->extent(), 32);
  const auto outer = hvector(2, 33, inner);
  EXPECT_EQ(outer->extent(), 72);  // 33 + 32, rounded up
  EXPECT_EQ(hvector(2, 73, outer)->extent(), 152);
  EXPECT_EQ(hvector(1, 5, outer)->extent(), 72);
}

TEST(Extents, AreTheSameHoweverTheBlocksAreGiven) {
  const auto inner = hvector(3, 9, doubles());
  EXPECT_EQ(derived(abi::COMBINER_HINDEXED, {2, 1, 1, 0, 33}, {inner})->extent(), 72);
  EXPECT_EQ(derived(abi::COMBINER_HINDEXED_BLOCK, {2, 1, 0, 33}, {inner})->extent(), 72);
  EXPECT_EQ(derived(abi::COMBINER_STRUCT, {2, 1, 1, 0, 33}, {inner, inner})->extent(), 72);
  EXPECT_EQ(hvector(2, -33, inner)->extent(), 72);
  EXPECT_EQ(hvector(2, -33, inner)->lb(), -33);
}

TEST(Extents, OfACStructAreItsSizeWhateverPartIsATypeOfItsOwn) {
  struct Whole {
    int first, second;
    double third;
  };
  const auto rest = derived(abi::COMBINER_STRUCT, {2, 1, 1, 4, 8}, {ints(), doubles()});
  EXPECT_EQ(rest->lb(), 4);
  const auto whole = derived(abi::COMBINER_STRUCT, {2, 1, 1, 0, 0}, {ints(), rest});
  EXPECT_EQ(whole->extent(), static_cast<std::int64_t>(sizeof(Whole)));
}

TEST(Extents, EndWhereAMarkSays) {
  const auto inner = derived(abi::COMBINER_RESIZED, {0, 26}, {hvector(3, 9, doubles())});
  EXPECT_EQ(inner->extent(), 26);
  EXPECT_EQ(hvector(2, 33, inner)->extent(), 59);
}

}  // namespace
}  // namespace antiphon
