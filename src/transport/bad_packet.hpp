// Thrown by whoever finds a packet that its sender must not have sent: a kind or a field that is impossible, or the
// name of something that is not under way. A handler that throws it has changed nothing, but nothing that the sender
// says can be relied on any more. The message names the process, the kind of packet and what is wrong with it.
#pragma once

#include "base/error.hpp"

namespace antiphon::transport {

struct BadPacket : base::Error {
  int process;  // of the job: the sender
};

}  // namespace antiphon::transport
