// How many processes to put along each dimension of a grid: MPI 5.0, 8.5.2, MPI_Dims_create.
#pragma once

#include <vector>

namespace antiphon::objects {

// Factors of `nodes`, `count` of them, not increasing and as close to each other as possible: the difference between
// the largest and the smallest is the least there is; among those with the same difference the smallest ones are as
// large as can be. Both arguments are positive.
[[nodiscard]] std::vector<int> balanced_dims(int nodes, int count);

}  // namespace antiphon::objects
