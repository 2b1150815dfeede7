// What memory a program asks for says about where it may begin.
#pragma once

#include <cstddef>

#include "objects/info.hpp"

namespace antiphon::api {

// A power of two; 1 unless the info object has mpi_minimum_memory_alignment (MPI 5.0, 9.2). Fails for other values.
[[nodiscard]] std::size_t wanted_alignment(const objects::Info* info);

}  // namespace antiphon::api
