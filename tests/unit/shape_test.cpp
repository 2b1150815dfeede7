// The shapes of elements, which follow from their kinds alone, against the predefined datatypes.
#include <gtest/gtest.h>

#include "abi/constants.hpp"
#include "engine/rma/elements.hpp"
#include "process/predefined.hpp"

namespace antiphon::rma {
namespace {

TEST(Shape, OfAKindIsThatOfEveryPredefinedDatatypeOfIt) {
  objects::HandleTable<objects::Datatype> types;
  process::add_predefined_datatypes(types);
  int found = 0;
  for (std::uintptr_t handle = 0; handle < 4096; ++handle) {
    const objects::Datatype* const type = types.find(handle);
    if (!type || type->element() == objects::Element::none) continue;
    ++found;
    const objects::Basics& basics = type->basics();
    const Shape shape = Shape::of(type->element());
    EXPECT_EQ(shape.bytes, type->size()) << type->name();
    EXPECT_EQ(shape.extent, type->extent()) << type->name();
    EXPECT_EQ(shape.first, basics.element[0].bytes()) << type->name();
    EXPECT_EQ(shape.second, basics.count == 2 ? basics.element[1].displacement : 0) << type->name();
  }
  EXPECT_GT(found, 60);
}

}  // namespace
}  // namespace antiphon::rma
