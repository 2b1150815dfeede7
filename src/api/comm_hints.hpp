// Info hints of communicators: MPI 5.0, 7.4.4.
#pragma once

#include "objects/comm.hpp"

namespace antiphon::api {

// Takes those of the hints in `info` that we know; others, and values that mean nothing, are ignored.
void take_hints(objects::Comm& comm, const objects::Info* info);

}  // namespace antiphon::api
