// Info hints of communicators: MPI 5.0, 7.4.4.
#pragma once

#include <string>

#include "process/process.hpp"

namespace antiphon::api {

// Sets the hints in `info` that Antiphon knows; unknown hints and invalid values are ignored. Besides those of the
// standard, these are antiphon_NAME for each setting NAME that chooses an algorithm of a collective.
void take_hints(process::Process& process, objects::Comm& comm, const objects::Info* info);

// The value of the info key mpi_memory_alloc_kinds of an object with these processes.
[[nodiscard]] std::string memory_kinds_of(process::Process& process, const objects::Group& group);

}  // namespace antiphon::api
