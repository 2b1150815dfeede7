// Kinds of memory that buffers may be in, as the info key mpi_memory_alloc_kinds lists them (MPI 5.0, 11.4.3):
// always those of the system and of MPI itself, and the restricted kinds of MPI's memory that the user has asked
// for.
#pragma once

#include <string>
#include <string_view>

namespace antiphon::process {

inline constexpr const char* kMemoryKindsKey = "mpi_memory_alloc_kinds";

// What there is, of which `wanted` may list some: kinds with restrictors, kind:restrictor:..., separated by commas.
// What it lists and there is not is left out.
[[nodiscard]] std::string memory_kinds(std::string_view wanted);
// The same, where mpiexec -memory-alloc-kinds says what is wanted.
[[nodiscard]] std::string memory_kinds_of_world();

}  // namespace antiphon::process
