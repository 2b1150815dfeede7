// The connection broker of a node: connects ranks of this node with processes of other nodes. It listens on one TCP
// port for the node, calls the brokers of other nodes, proves to them, and lets them prove, that both know the secret
// of the job (handshake.hpp), and hands the connected sockets over to the ranks (bootstrap/broker_protocol.hpp). So
// strangers never reach a rank, and a rank that computes need not answer anybody.
//
// A pair of processes has one connection. If both ask for it at the same time, the broker of the process with the
// lower number decides: its own call goes on, and it tells the other one that they crossed.
//
// It never waits: the event loop of the process that owns it, mpiexec or the daemon of a node, polls one descriptor.
// One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bootstrap/job_segment.hpp"
#include "bootstrap/place.hpp"
#include "broker/handshake.hpp"

namespace antiphon::launch {

// Where a broker can be reached: addresses of its host, as numbers ("10.77.0.1"), the best first, and one port for
// all of them.
struct BrokerEndpoint {
  std::uint16_t port = 0;
  std::vector<std::string> addresses = {};
};

// Ports that the user permits, both ends included; 0 to 0: any.
struct PortRange {
  std::uint16_t first = 0, last = 0;
};

class Broker {
 public:
  struct Setup {
    Secret secret;
    int node = 0;                               // of this broker
    std::vector<bootstrap::Place> places = {};  // by rank of the job
    std::vector<std::string> node_names = {};   // for messages
    PortRange ports = {};
    std::vector<std::string> interfaces = {};  // to offer to others; empty: those that are likely to reach them
    // What the user is told: once about strangers that were refused; and, for `mpiexec -v`, how each node was
    // reached.
    std::function<void(const std::string&)> warn = {};
    std::function<void(const std::string&)> tell_details = {};
  };

  // Listens from now on. Fails with ERR_OTHER if it cannot, for example because no port of the range is free.
  explicit Broker(Setup setup);
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;
  ~Broker();

  // For the header of the node's segment.
  [[nodiscard]] const bootstrap::LocalAddress& address() const;
  // What the brokers of other nodes need to know.
  [[nodiscard]] const BrokerEndpoint& endpoint() const;
  // Where the brokers of all nodes are, by node. Requests of ranks wait for it.
  void meet(std::vector<BrokerEndpoint> brokers);

  // Readable when there is something to do; then, and at the deadline, handle() is to be called.
  [[nodiscard]] int descriptor() const;
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> next_deadline() const;
  void handle();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace antiphon::launch
