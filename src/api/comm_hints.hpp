// Info hints of communicators: MPI 5.0, 7.4.4.
#pragma once

#include <string>

#include "process/process.hpp"

namespace antiphon::api {

// Takes those of the hints in `info` that we know; others, and values that mean nothing, are ignored. Besides those
// of the standard, antiphon_NAME for each setting NAME that says how a collective is done.
void take_hints(process::Process& process, objects::Comm& comm, const objects::Info* info);

// What the info key mpi_memory_alloc_kinds says of an object whose processes are these.
[[nodiscard]] std::string memory_kinds_of(process::Process& process, const objects::Group& group);

}  // namespace antiphon::api
