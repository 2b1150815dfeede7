// Gives a Node a real connection broker.
#pragma once

#include <memory>

#include "node/node_broker.hpp"

namespace antiphon::launch {

[[nodiscard]] std::unique_ptr<NodeBroker> open_broker(Broker::Setup setup);

}  // namespace antiphon::launch
