// A put or get that the system carries out in the memory of another process, without that process's help.
#pragma once

#include "engine/rma/transfer.hpp"
#include "transport/peer_memory.hpp"

namespace antiphon::rma {

// Whether it is worth that: the system takes about as long for each run of what is put scattered as for a page, and a
// target that looks unpacks a hundred short ones meanwhile.
[[nodiscard]] bool suits_system(const Transfer& transfer);

// False if the system refuses, perhaps after some of it.
[[nodiscard]] bool copy_by_system(const Transfer& transfer, transport::PeerMemory& target);

}  // namespace antiphon::rma
