// The arithmetic of the predefined operations: MPI 5.0, 6.9.2 to 6.9.4. Results are the same to the bit on all
// compilers and processors: where NaNs, zeros or equal values leave a choice, the left operand decides.
#pragma once

#include <cstddef>

#include "objects/element.hpp"
#include "objects/op.hpp"

namespace antiphon::coll {

// into[i] = left op right for `elements` elements. `into` is one of the operands, `other` the other; they must not
// overlap.
using Kernel = void(const void* other, void* into, std::size_t elements);

// The kernels for a result in the left and in the right operand; null if the operation is not defined on the type.
struct Arithmetic {
  Kernel* into_left = nullptr;
  Kernel* into_right = nullptr;
  explicit operator bool() const { return into_left != nullptr; }
};

[[nodiscard]] Arithmetic arithmetic(objects::Op::Kind op, objects::Element element);

}  // namespace antiphon::coll
