// The network interfaces of this host, and which of its addresses others may try.
#pragma once

#include <string>
#include <vector>

namespace antiphon::launch {

struct Interface {
  std::string name;     // "eth0"
  std::string address;  // as a number: "10.77.0.1", "2001:db8::1"
  int prefix_bits = 0;  // of its subnet
  bool loopback = false;
  bool bridge = false;  // for containers and virtual machines of this host: docker0, virbr0, cni0
  long speed = 0;       // in Mbit/s; 0: unknown
};

// Those that are up.
[[nodiscard]] std::vector<Interface> interfaces_of_this_host();

// What others are told, the best first: fast interfaces before slow ones. Bridges are for what runs inside this host,
// and have the same address on every host, so they count only where there is nothing else; the loopback interface
// comes last of all. `wanted`: names of interfaces that the user chose; empty: all.
[[nodiscard]] std::vector<std::string> addresses_to_offer(std::vector<Interface> interfaces,
                                                          const std::vector<std::string>& wanted);

// Addresses of another host in the order in which to try them: those in a subnet of this host first.
[[nodiscard]] std::vector<std::string> nearest_first(std::vector<std::string> addresses,
                                                     const std::vector<Interface>& own);

}  // namespace antiphon::launch
