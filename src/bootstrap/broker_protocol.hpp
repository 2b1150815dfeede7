// What a rank and the connection broker of its node say to each other, over a Unix socket that keeps messages whole
// (SOCK_SEQPACKET). Plain data: both are of one build and on one machine.
//
// A rank first says who it is (BrokerHello). From then on it may ask for a connection to a process of another node
// (BrokerRequest), and gets a BrokerAnswer for each connection that exists, whichever of the two processes asked for
// it; a connected socket comes with the answer (SCM_RIGHTS). A pair of processes has one connection.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace antiphon::bootstrap {

struct BrokerHello {
  std::array<std::byte, 16> token;  // LocalAddress::token
  std::int32_t rank;                // in MPI_COMM_WORLD
};

struct BrokerRequest {
  std::int32_t process;
};

struct BrokerAnswer {
  enum class Kind : std::uint32_t { connected, failed };
  Kind kind;
  std::int32_t process;
  char failure[504];  // why there is no connection: a sentence without a full stop
};

}  // namespace antiphon::bootstrap
