// The arithmetic of the predefined operations: MPI 5.0, 6.9.2 to 6.9.4. Results are exact to the bit, whatever
// compiler and processor do with a loop: where NaNs, zeros or equal values leave a choice, the left operand decides
// it.
#pragma once

#include <cstddef>

#include "objects/element.hpp"
#include "objects/op.hpp"

namespace antiphon::coll {

// into[i] = left op right for `elements` elements, where `into` is one of the operands and `other` the other. They do
// not overlap.
using Kernel = void(const void* other, void* into, std::size_t elements);

// Null where the operation is not defined on the element.
struct Arithmetic {
  Kernel* into_left = nullptr;
  Kernel* into_right = nullptr;
  explicit operator bool() const { return into_left != nullptr; }
};

[[nodiscard]] Arithmetic arithmetic(objects::Op::Kind op, objects::Element element);

}  // namespace antiphon::coll
