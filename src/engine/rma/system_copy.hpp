// A put or get that the operating system carries out in the memory of another process, without that process's help.
#pragma once

#include "engine/rma/transfer.hpp"
#include "transport/peer_memory.hpp"

namespace antiphon::rma {

// Whether that is faster than packets. For each run of a scattered put, the system takes about as long as for a page;
// in that time a target that polls unpacks a hundred short runs.
[[nodiscard]] bool suits_system(const Transfer& transfer);

// False if the system refuses; some of the data may have been copied.
[[nodiscard]] bool copy_by_system(const Transfer& transfer, transport::PeerMemory& target);

}  // namespace antiphon::rma
