// The two sockets on which a broker listens: a TCP port for other brokers, and a name in the abstract name space of
// Unix sockets for the ranks of this node.
#pragma once

#include <cstdint>
#include <string>

#include "bootstrap/job_segment.hpp"
#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::launch {

struct PortListener {
  platform::OwnedDescriptor socket;
  std::uint16_t port;
};

// On the first free port from `first` to `last`, or, if both are 0, on any; over IPv6 and IPv4 where the system has
// both. Fails with ERR_OTHER.
[[nodiscard]] PortListener listen_on_port(std::uint16_t first, std::uint16_t last);

struct NameListener {
  platform::OwnedDescriptor socket;
  bootstrap::LocalAddress address;  // with a new token
};
[[nodiscard]] NameListener listen_on_name();

// A connection that waits at a listening socket, none if there is none now; and where it comes from, where `from` is
// given.
[[nodiscard]] platform::OwnedDescriptor accept_one(int listener, std::string* from = nullptr);

}  // namespace antiphon::launch
