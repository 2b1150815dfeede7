// Kernels for what x86 CPUs have beyond their baseline; on others nothing is improved.
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
