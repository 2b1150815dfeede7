// Alignment of memory that MPI_Alloc_mem returns, and the end of memory that was freed while a window still
// exposes it.
#pragma once

#include <cstddef>

#include "objects/info.hpp"
#include "process/process.hpp"

namespace antiphon::api {

// A power of two; 1 unless the info object has mpi_minimum_memory_alignment (MPI 5.0, 9.2). Fails for other values.
[[nodiscard]] std::size_t wanted_alignment(const objects::Info* info);

// Gives back what the user has freed under a window that is no more over it.
void free_what_windows_left(process::Process& process);

}  // namespace antiphon::api
