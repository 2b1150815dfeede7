// The kinds of memory that buffers may be in, as the info key mpi_memory_alloc_kinds lists them (MPI 5.0, 11.4.3):
// always those of the system and of MPI, and the restricted kinds of MPI's memory that the user has requested.
#pragma once

#include <string>
#include <string_view>

namespace antiphon::process {

inline constexpr const char* kMemoryKindsKey = "mpi_memory_alloc_kinds";

// The supported kinds. `wanted` lists the requested kinds, separated by commas, each as kind:restrictor:...;
// unsupported ones are left out.
[[nodiscard]] std::string memory_kinds(std::string_view wanted);
// The same, for the kinds that mpiexec -memory-alloc-kinds requests.
[[nodiscard]] std::string memory_kinds_of_world();

}  // namespace antiphon::process
