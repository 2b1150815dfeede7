// The connection broker of a node in a job that another launcher started: a process of its own
// (launch/broker_process), which the lowest rank of the node starts while it joins the job. It is nobody's child, so
// the program neither gets its SIGCHLD nor waits for it by mistake, and it ends with the last rank of the node.
#pragma once

#include <span>
#include <string>

#include "bootstrap/broker_process_protocol.hpp"
#include "bootstrap/rank_card.hpp"
#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::bootstrap {

// As text, for a process manager: "40123,10.77.0.1,fd00::1".
[[nodiscard]] std::string encode(const NodeEndpoint& endpoint);
// Fails with ERR_OTHER.
[[nodiscard]] NodeEndpoint decode_endpoint(const std::string& text);

class BrokerProcess {
 public:
  // Starts it and waits until it listens. Fails with ERR_OTHER where there is no such program in this installation,
  // or it cannot listen.
  BrokerProcess(const JobMap& job, int node, const JobSecret& secret);

  [[nodiscard]] const LocalAddress& address() const { return ready_.address; }
  [[nodiscard]] const NodeEndpoint& endpoint() const { return ready_.endpoint; }
  // Where the brokers of all nodes are, by node.
  void meet(std::span<const NodeEndpoint> endpoints);
  // For each rank of the node to keep as long as it lives.
  [[nodiscard]] platform::OwnedDescriptor take_lifeline() { return std::move(lifeline_); }

 private:
  platform::OwnedDescriptor socket_;
  platform::OwnedDescriptor lifeline_;
  BrokerReady ready_{};
};

}  // namespace antiphon::bootstrap
