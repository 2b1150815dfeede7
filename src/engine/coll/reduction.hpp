// The arithmetic of the predefined operations: MPI 5.0, 6.9.2 to 6.9.4.
#pragma once

#include <cstddef>
#include <cstdint>

#include "objects/datatype.hpp"
#include "objects/op.hpp"

namespace antiphon::coll {

// target[i] = source[i] op target[i] for `elements` elements; source and target do not overlap.
using ReduceKernel = void (*)(const void* source, void* target, std::size_t elements);

// Null where the operation is not defined on the element.
[[nodiscard]] ReduceKernel reduce_kernel(objects::Op::Kind op, objects::Element element);

}  // namespace antiphon::coll
