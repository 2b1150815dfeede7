// Kernels that use x86 instructions beyond the baseline. On other CPUs they leave the portable ones in place.
#pragma once

#include "layout/kernels.hpp"

namespace antiphon::layout {

namespace x86 {

// Replaces what there is something better for.
void improve(StridedKernel& kernel, std::int64_t block, std::int64_t stride, Vectors vectors);
template <class Displacement>
void improve(ListedKernel<Displacement>& kernel, std::int64_t block, Vectors vectors);
[[nodiscard]] PatternKernel pattern(Vectors vectors);

}  // namespace x86
}  // namespace antiphon::layout
