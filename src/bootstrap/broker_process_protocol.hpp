// What the lowest rank of a node says to the broker process that it has started (launch/broker_process), over a
// connected Unix stream socket, the process's standard input. Plain data: both are of one installation.
//
// The rank sends a BrokerSetup, the Place of each rank, and the NodeName of each node. The process listens, and
// answers with a BrokerReady. When all nodes have exchanged their endpoints, the rank sends one for each node. That
// is all. The process ends when the last writing end of a pipe is closed, whose reading end is its descriptor 3: each
// rank of the node has one as long as it lives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "bootstrap/job_segment.hpp"

namespace antiphon::bootstrap {

inline constexpr int kLifelineFd = 3;
inline constexpr std::size_t kMostAddresses = 8;

using JobSecret = std::array<std::byte, 32>;

struct BrokerSetup {
  std::uint32_t layout_version;  // kJobLayoutVersion
  std::int32_t node;
  std::uint32_t ranks;
  std::uint32_t nodes;
  JobSecret secret;
};

// Where the broker of a node listens: addresses of its host as numbers, the best first.
struct NodeEndpoint {
  std::uint16_t port;
  std::uint16_t address_count;
  std::array<std::array<char, 48>, kMostAddresses> addresses;
};

struct BrokerReady {
  enum class Kind : std::uint32_t { ready, failed, not_started };
  Kind kind;
  std::int32_t error;  // of execv, if it was not started
  LocalAddress address;
  NodeEndpoint endpoint;
  std::array<char, 504> failure;  // a sentence without a full stop
};

}  // namespace antiphon::bootstrap
