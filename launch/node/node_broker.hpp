// The connection broker of a node as the Node sees it. The daemon gives the Node a real one (broker/broker.hpp);
// mpiexec itself runs only jobs of one node, which need none, so it does not load the library for cryptography.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "broker/broker.hpp"

namespace antiphon::launch {

// As in Broker.
class NodeBroker {
 public:
  virtual ~NodeBroker() = default;
  [[nodiscard]] virtual const bootstrap::LocalAddress& address() const = 0;
  [[nodiscard]] virtual const BrokerEndpoint& endpoint() const = 0;
  virtual void meet(std::vector<BrokerEndpoint> brokers) = 0;
  [[nodiscard]] virtual int descriptor() const = 0;
  [[nodiscard]] virtual std::optional<std::chrono::steady_clock::time_point> next_deadline() const = 0;
  virtual void handle() = 0;
};

using OpenBroker = std::function<std::unique_ptr<NodeBroker>(Broker::Setup)>;

}  // namespace antiphon::launch
