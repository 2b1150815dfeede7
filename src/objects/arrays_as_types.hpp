// Builds subarrays and distributed arrays (MPI 5.0, 5.1.3 and 5.1.4) from the simpler constructors, dimension by
// dimension, the fastest first.
#pragma once

#include "objects/datatype.hpp"

namespace antiphon::objects {

// Of a checked recipe with one of these combiners.
[[nodiscard]] Ref<Datatype> expand_subarray(const Recipe& recipe);
[[nodiscard]] Ref<Datatype> expand_darray(const Recipe& recipe);

}  // namespace antiphon::objects
