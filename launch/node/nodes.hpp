// The nodes of a job, as the job sees them: it gives them orders, and they report events. There is one implementation
// for a job of one node that this process runs itself (node/node_here.hpp), and one for nodes that daemons run
// (hosts/remote_nodes.hpp). Neither ever waits. One thread.
#pragma once

#include <poll.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "node/events.hpp"

namespace antiphon::launch {

inline constexpr int kAllNodes = -1;

class Nodes {
 public:
  using Clock = std::chrono::steady_clock;

  Nodes() = default;
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;
  virtual ~Nodes() = default;

  virtual void order(int node, const NodeOrder& order) = 0;

  // Whether an order waits until a node has read others.
  [[nodiscard]] virtual bool has_unsent_orders() const { return false; }

  // append_polls() adds what to poll for; pass the result of poll(2) to handle(), at next_deadline() at the latest,
  // and at least once a second.
  virtual void append_polls(std::vector<pollfd>& polls) const = 0;
  virtual void handle(std::span<const pollfd> polls) = 0;
  [[nodiscard]] virtual std::optional<Clock::time_point> next_deadline() const = 0;

  // Reports what ranks have printed so far, as far as it is known here.
  virtual void catch_up() = 0;
};

}  // namespace antiphon::launch
