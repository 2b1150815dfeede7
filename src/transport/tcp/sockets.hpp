// Where a TcpTransport gets its connected sockets from: in a job, from the connection broker of the node; in tests,
// from socketpairs. Whoever hosts a process fills it in.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::transport::tcp {

struct Sockets {
  struct Arrived {
    int process;
    platform::OwnedDescriptor socket;  // a stream, which does not block
    std::string failure = {};          // why there is none: a sentence without a full stop
  };

  // Asks for a connection to a process. It comes from next(), unless the process has asked, too: a pair of processes
  // gets one connection, whichever asks.
  std::function<void(int process)> ask;
  // The next connection that is there; empty if there is none now.
  std::function<std::optional<Arrived>()> next;
  int descriptor;                                // readable when next() has something
  std::function<std::string(int process)> name;  // for users: "rank 5 on h2"
};

}  // namespace antiphon::transport::tcp
