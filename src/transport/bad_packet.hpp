// Thrown by whoever finds a packet that its sender must not have sent: a kind or a field that is impossible, or the
// name of something that is not under way. Nothing has been done for the packet, and nothing that its sender says can
// be relied on any more. The message names the process, the kind of packet and what is wrong with it.
#pragma once

#include "base/error.hpp"

namespace antiphon::transport {

struct BadPacket : base::Error {
  int process;  // of the job: the sender
};

}  // namespace antiphon::transport
